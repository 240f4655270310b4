package org.lagbench.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.text.Endpoint;

/** The rows are those of a kernel. */
class LocalUsersTest {
    private static final String HEAD =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid";
    private static final String CLIENT = "   2: 0100007F:B00D 0100007F:1514 01 00000000:00000000 00:00000000 00000000"
            + "  1000        0 1566 1 00000000f0e5f106 20 4 30 10 -1";
    private static final String MAPPED_CLIENT =
            "   0: 0000000000000000FFFF00000100007F:B00D 0000000000000000FFFF00000100007F:1514 01 00000000:00000000"
                    + " 00:00000000 00000000  1000        0 1566 1 00000000f0e5f106 20 4 30 10 -1";
    private static final String SERVER = "   3: 0100007F:1514 0100007F:B00D 01 00000000:00000000 00:00000000 00000000"
            + "     0        0 1567 1 00000000f0e5f107 20 4 30 10 -1";
    private static final String TIME_WAIT =
            "   1: 0100007F:B00D 0100007F:1514 06 00000000:00000000 03:00000E18 00000000"
                    + "     0        0 0 3 000000005ec3430f";
    private static final InetSocketAddress FROM = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0xB00D);
    private static final InetSocketAddress TO = new InetSocketAddress(InetAddress.getLoopbackAddress(), 5396);

    @Test
    void findsUserOfClientNotOfServer() throws Exception {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the rows are of another machine");
        for (String client : List.of(CLIENT, MAPPED_CLIENT)) {
            List<String> table = List.of(HEAD, SERVER, client);
            assertThat(LocalUsers.isOpenedBy(Set.of(1000), table, FROM, TO)).isTrue();
            assertThat(LocalUsers.isOpenedBy(Set.of(0), table, FROM, TO)).isFalse();
        }
    }

    @Test
    void ignoresSocketThatNoProcessHas() throws Exception {
        assertThat(LocalUsers.isOpenedBy(Set.of(0), List.of(HEAD, TIME_WAIT), FROM, TO))
                .isFalse();
        assertThat(LocalUsers.isOpenedBy(Set.of(0), List.of(), FROM, TO)).isFalse();
    }

    @Test
    void reportsUnknownUserWithoutSocketTables(@TempDir Path directory) {
        assertThatThrownBy(() -> LocalUsers.opened(List.of(directory.resolve("tcp")), FROM, TO))
                .isInstanceOf(NoSuchFileException.class);
    }

    /** Any user of this machine reaches loopback. Only root can be another user here. */
    @Test
    void refusesOtherUsersWithoutKey() throws Exception {
        assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid")), "not root");
        try (LiveServer server =
                LiveServer.start(new Endpoint("127.0.0.1", 0), null, LivePage.SWEEP, Map.of(), new EventLog(1))) {
            String request = "exec 3<>/dev/tcp/127.0.0.1/"
                    + URI.create(server.address()).getPort()
                    + " && printf 'GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3"
                    + " && cat <&3";
            assertThat(output("bash", "-c", request)).startsWith("HTTP/1.1 200 ");
            assertThat(output("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "bash", "-c", request))
                    .startsWith("HTTP/1.1 403 ")
                    .contains("--live-key");
        }
    }

    private static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
