package org.lagbench.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
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

    /** The examples of RFC 5952, sections 1 and 4. */
    @ParameterizedTest
    @CsvSource({
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:0DB8:0:0:1::1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8::0:10:1, 2001:db8::10:1",
        "fd77:2:0:0:0:0:0:0, fd77:2::",
        "10:0:0:0:0:0:0:10, 10::10",
        "0:0:0:0:0:0:0:1, ::1",
        "::, ::",
        "fe80:0:0:0:0:0:0:1%1, fe80::1%1",
        "192.0.2.7, 192.0.2.7"
    })
    void formatsAddress(String text, String formatted) throws Exception {
        assertThat(Endpoint.format(InetAddress.getByName(text))).isEqualTo(formatted);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:1, true",
        "127.255.3.4:1, true",
        "[::1]:1, true",
        "[0:0:0:0:0:0:0:1]:1, true",
        "[0:0:0:0:0:0:0:1%lo]:1, true",
        "localhost:1, true",
        "127.0.0.1.example.org:1, false",
        "128.0.0.1:1, false",
        "[::2]:1, false",
        "[fe80::1%lo]:1, false",
        "lab7:1, false"
    })
    void findsLoopback(String text, boolean isLoopback) {
        assertThat(Endpoint.parse(text).isLoopback()).isEqualTo(isLoopback);
    }

    @ParameterizedTest
    @CsvSource({"fe80::1%eth0, fe80::1", "fd77:2:0:0:0:0:0:1, fd77:2::1", "192.0.2.7, 192.0.2.7", "lab7, lab7"})
    void removesZone(String host, String address) {
        assertThat(Endpoint.withoutZone(host)).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lab7", "lab7:", ":5001", "lab7:65536", "::1:5001", "[::1]", "[lab7]:1", "a b:1", "-x:1"})
    void refusesInvalidEndpoint(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.parse(text));
    }
}
