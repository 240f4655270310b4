package org.lagbench.skeleton;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.cli.CommandResult;
import org.lagbench.core.failure.ExitCode;

class GapsTest {
    private static final long MS = 1_000_000;

    @TempDir
    private Path directory;

    private String session;

    /** Two repeats: one with a gap of 30 ms in 40 ms, one without a gap in 10 ms. */
    @BeforeEach
    void writeSession() throws Exception {
        SessionFixture fixture = new SessionFixture(directory.resolve("session"));
        fixture.run("0001-udp-24-r1", "udp", 24)
                .sent(0, 5 * MS, 35 * MS, 40 * MS)
                .received(at(0, 100), at(1, 5 * MS + 100), at(2, 35 * MS + 100), at(3, 40 * MS + 100))
                .write();
        fixture.run("0002-udp-24-r2", "udp", 24)
                .sent(0, 3 * MS, 6 * MS, 10 * MS)
                .received(at(0, 100), at(1, 3 * MS + 100), at(2, 6 * MS + 100), at(3, 10 * MS + 100))
                .write();
        session = fixture.path().toString();
    }

    @Test
    void addsUpGapsOfRepeatsInView() {
        CommandResult table = CommandResult.of("table", session, "--view", "gaps");
        assertThat(table.exitCode()).as(table.err()).isZero();
        assertThat(table.out()).containsPattern("24 .* 1 +30\\.0 +60\\b").contains("Gap: more than 10 ms");
    }

    @Test
    void hasMetricsInJson() {
        CommandResult json = CommandResult.of("table", session, "--view", "gaps", "--format", "json");
        assertThat(json.out()).contains("\"gaps.count\" : 1", "\"gaps.share\" : 60");
    }

    @Test
    void judgesShareOfBothRuns() {
        CommandResult missed = CommandResult.of("table", session, "--require", "gaps.share < 50%");
        assertThat(missed.exitCode()).as(missed.out()).isNotEqualTo(ExitCode.OK.code());
        CommandResult met = CommandResult.of("table", session, "--require", "gaps.count <= 1", "--judge-by", "value");
        assertThat(met.exitCode()).as(met.out() + met.err()).isZero();
    }

    @Test
    void printsGapsOfPoints() {
        CommandResult gaps = CommandResult.of("gaps", session);
        assertThat(gaps.out()).isEqualTo("24 bytes: 1 gaps\n");
    }

    private static long[] at(long packet, long ns) {
        return new long[] {packet, ns};
    }
}
