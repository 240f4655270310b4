package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DoctorTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void findsTcpAndUdp() throws Exception {
        CommandResult doctor = CommandResult.of("doctor");
        assertThat(doctor.exitCode()).as(doctor.out()).isZero();
        assertThat(doctor.out()).containsPattern("(?m)^ok +TCP ").containsPattern("(?m)^ok +UDP ");
        assertThat(doctor.out()).contains("IEEE-1394", "libraw1394", "chrony", "net.core.rmem_max", "Arrivals");
        assertThat(doctor.err()).isEmpty();
    }

    @Test
    @Tag("one-java")
    void printsFreeBusResources() throws Exception {
        List<String> onABus = new ArrayList<>(List.of("bus"));
        onABus.addAll(LagbenchProcess.command(List.of(), "doctor"));
        try (LagbenchProcess doctor = LagbenchProcess.run(directory, onABus.toArray(String[]::new))) {
            assertThat(doctor.exitCode()).as(doctor.err()).isZero();
            // The whole bandwidth, and all channels but 31, which a bus keeps for broadcasts.
            assertThat(doctor.out().replaceAll("\\s+", " "))
                    .contains("2 nodes, S800, free: 4915 units of bandwidth, 63 channels");
        }
    }

    @Test
    void printsAdviceForEachWarningInJson() throws Exception {
        CommandResult doctor = CommandResult.of("doctor", "--json");
        assertThat(doctor.exitCode()).isZero();
        List<JsonNode> findings = new ArrayList<>();
        JsonMapper.builder().build().readTree(doctor.out()).forEach(findings::add);
        assertThat(findings).hasSizeGreaterThan(10).allSatisfy(finding -> {
            assertThat(finding.get("found").asString()).isNotEmpty();
            assertThat(finding.get("advice").isNull())
                    .isEqualTo(finding.get("verdict").asString().equals("ok"));
        });
    }
}
