package org.lagbench.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @ParameterizedTest
    @CsvSource({
        "lab7:5001, lab7, 5001",
        "lab-7.example.org:1, lab-7.example.org, 1",
        "192.0.2.7:65535, 192.0.2.7, 65535",
        "[::1]:5001, ::1, 5001",
        "[fe80::1%eth0]:5001, fe80::1%eth0, 5001"
    })
    void readsHostAndPortAndWritesThemTheSame(String text, String host, int port) {
        assertThat(Endpoint.parse(text)).isEqualTo(new Endpoint(host, port));
        assertThat(Endpoint.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "lab7, lab7, 5394",
        "lab7:1, lab7, 1",
        "fd00:bb::7, fd00:bb::7, 5394",
        "::1, ::1, 5394",
        "fe80::1%eth0, fe80::1%eth0, 5394",
        "[::1]:1, ::1, 1"
    })
    void readsHostWithoutPort(String text, String host, int port) throws Exception {
        assertThat(Endpoint.ofOption("HOST", text, 5394)).isEqualTo(new Endpoint(host, port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lab7", "lab7:", ":5001", "lab7:65536", "::1:5001", "[::1]", "[lab7]:1", "a b:1", "-x:1"})
    void refusesInvalidEndpoint(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.parse(text));
    }
}
