package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.SideBuilder;
import org.lagbench.packetio.transport.SideConfig;

/** Which addresses a receiver admits: the sender's on the control connection, and the one that it announces. */
class DataPortTest {
    private static SideConfig sender() throws LagbenchException {
        return new SideBuilder("udp", 1, 100, Map.of())
                .host("127.0.0.1")
                .file(Path.of("unused"))
                .build();
    }

    @Test
    void announcesNoSourceThatTheReceiverKnows() throws Exception {
        assertThat(DataPort.withSource(Map.of("port", "1"), sender(), "127.0.0.1"))
                .isEqualTo(Map.of("port", "1"));
    }

    @Test
    void admitsTheAnnouncedSourceOnAnotherNetwork() throws Exception {
        Map<String, String> announced = DataPort.withSource(Map.of("port", "1"), sender(), "192.0.2.7");
        assertThat(announced).containsEntry("port", "1").containsEntry("source", "127.0.0.1");
        InetAddress ofConnection = InetAddress.getByName("192.0.2.7");
        assertThat(DataPort.sources(ofConnection, announced))
                .containsExactlyInAnyOrder(ofConnection, InetAddress.getLoopbackAddress());
        assertThat(DataPort.sources(ofConnection, Map.of("source", "192.0.2.7")))
                .containsExactly(ofConnection);
    }

    @Test
    void admitsTheHostOfTheControlConnectionAlone() throws Exception {
        InetAddress ofConnection = InetAddress.getByName("fe80::1");
        assertThat(DataPort.sources(ofConnection, Map.of())).containsExactly(ofConnection);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "127.0.0.1,127.0.0.2", "a.example", "1.2.3.4 ", "\n"})
    void refusesASourceThatIsNoAddress(String source) {
        assertThatThrownBy(() -> DataPort.sources(InetAddress.getLoopbackAddress(), Map.of("source", source)))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("invalid address");
    }
}
