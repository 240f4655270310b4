package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.MatrixSpec.Pair;

class SitesReaderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void readsSitesWithDefaults() throws Exception {
        MatrixSpec spec = SitesReader.read(
                file(
                        """
                key-file: common.key
                interval: 2ms
                sites:
                  - {name: vienna, host: 192.0.2.7}
                  - {name: graz, host: "2001:db8::1", port: 6000, key-file: graz.key}
                """));

        assertThat(spec.name()).isEqualTo("campus");
        assertThat(spec.intervalNs()).isEqualTo(Duration.ofMillis(2).toNanos());
        assertThat(spec.packets()).isEqualTo(500);
        assertThat(spec.budgetBytes()).isEqualTo(20_000_000);
        assertThat(spec.sites())
                .containsExactly(
                        new MatrixSpec.Site("vienna", new Endpoint("192.0.2.7", 5394), directory.resolve("common.key")),
                        new MatrixSpec.Site("graz", new Endpoint("2001:db8::1", 6000), directory.resolve("graz.key")));
    }

    @Test
    void readsWhatItWrites() throws Exception {
        MatrixSpec spec = SitesReader.read(
                file(
                        """
                budget-mb: 7
                sites: [{name: "no", host: a.example, port: 1}, {name: b, host: "::1", key-file: "b c.key"}]
                pairs: [b/no]
                """));

        assertThat(spec.pairs()).containsExactly(new Pair(1, 0));

        Path copy = Files.writeString(directory.resolve("copy.yaml"), SitesReader.format(spec));
        assertThat(SitesReader.read(copy)).isEqualTo(spec);
    }

    @Test
    void reportsEachErrorWithItsLine() throws Exception {
        Path file = file(
                """
                packets: few
                sites:
                  - {name: a, host: 192.0.2.1}
                  - {name: a, host: 192.0.2.2}
                  - {name: b, host: "192.0.2.2:5394"}
                  - {name: c d}
                  - {name: e, host: f, prot: 1}
                pairs: [a/e, a/b, e/e]
                """);

        assertThatThrownBy(() -> SitesReader.read(file))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining(file + ":1:10: packets: \"few\" is not accepted")
                .hasMessageContaining(":4:12: sites.name: another site has the name a as well.")
                .hasMessageContaining(":5:21: sites.host: \"192.0.2.2:5394\" is not accepted")
                .hasMessageContaining(":6:5: sites.host: it is missing; it takes a name or an address")
                .hasMessageContaining(":6:12: sites.name: \"c d\" is not accepted")
                .hasMessageContaining(":7:24: sites.prot: there is no such key")
                .hasMessageContaining(":8:8: pairs: a/b is not a pair")
                .hasMessageContaining(":8:8: pairs: e/e is not a pair");
    }

    @Test
    void requiresTwoSites() throws Exception {
        Path file = file("sites: [{name: a, host: b}]\n");

        assertThatThrownBy(() -> SitesReader.read(file)).hasMessageContaining(":1:8: sites: a matrix has 2 to 1000");
    }

    @Test
    void documentsEveryKeyInReference() throws Exception {
        Path reference = Path.of("../configs/sites/reference.yaml");
        String text = Files.readString(reference);
        MatrixSpec spec = SitesReader.read(reference);
        MatrixSpec defaults = SitesReader.read(
                Files.writeString(directory.resolve("reference.yaml"), text.substring(text.indexOf("\nsites:"))));
        assertThat(spec).isEqualTo(defaults);
        String comments = text.replaceAll("\\s*\\n\\s*#", "").replaceAll("\\s+", " ");
        SitesReader.keys().forEach((key, parameter) -> {
            String last = key.substring(key.lastIndexOf('.') + 1);
            assertThat(text).as(key).containsPattern("(?m)^#? *" + last + "[: ]");
            assertThat(comments).as(key).contains("Takes " + parameter.accepted());
        });
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("campus.yaml"), text);
    }
}
