package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.control.ControlMessage;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunRecord;

class ReceiverResultTest {
    private static final Map<String, Object> SENDER = Map.of("remoteAddress", "192.0.2.7:41833");

    /** A firewall may admit the control connection's port only. */
    @Test
    void namesPortOfPacketsIfNoneArrived() throws Exception {
        assertThat(of(0).warning(SENDER)).asString().contains("arrived at 192.0.2.7:41833. Does a firewall");
        assertThat(of(0).warning(Map.of())).asString().contains("arrived at 192.0.2.7:5394. Does a firewall");
        assertThat(of(1).warning(SENDER)).isNull();
    }

    @Test
    void doesNotSuspectFirewallIfKernelDroppedPackets() throws Exception {
        assertThat(of(0, 5).warning(SENDER))
                .asString()
                .contains(
                        "arrived at 192.0.2.7:41833. The kernel there dropped 5, because the receive buffer was full.")
                .doesNotContain("firewall");
    }

    @Test
    void doesNotSuspectFirewallIfThisHostRefusedPackets() throws Exception {
        assertThat(of(0).warning(Map.of("failedSends", Map.of("EMSGSIZE", 200))))
                .asString()
                .contains("This host refused to send packets: 200 EMSGSIZE (they do not fit the path's MTU).")
                .doesNotContain("firewall");
    }

    /** Packets of 24 bytes fit the MTU of any path. */
    @Test
    void namesNoMtuForSmallPackets() throws Exception {
        assertThat(of(0).warning(SENDER)).asString().contains("Does a firewall block the packets?");
    }

    /** Refusals explain only what was refused, and what the library held back meanwhile. */
    @ParameterizedTest
    @CsvSource({"199, 0, true", "199, 1, false", "0, 200, true"})
    void asksForTheWayOfPacketsThatLeft(int refused, int held, boolean asks) throws Exception {
        Map<String, Object> sender = new HashMap<>(Map.of("javaPacketsNotSent", held));
        if (refused > 0) {
            sender.put("failedSends", Map.of("EPERM", refused));
        }
        String warning = String.valueOf(of(0).warning(sender));
        assertThat(warning.contains("Does a firewall")).as(warning).isEqualTo(asks);
        assertThat(warning.contains("refused")).as(warning).isEqualTo(refused > 0);
    }

    private static ReceiverResult of(long arrived) throws Exception {
        return of(arrived, 0);
    }

    private static ReceiverResult of(long arrived, long kernelDrops) throws Exception {
        ControlMessage.Counted counted = new ControlMessage.Counted(
                new RunRecord.Counts(arrived, arrived, 0, 0, 0, 0, kernelDrops, null),
                new RunRecord.Side("host", "boot", "17", Map.of()),
                arrived,
                List.of(),
                List.of(),
                List.of());
        return new ReceiverResult(
                counted, FakeReceiver.spec("udp", Pace.flood(), Duration.ofSeconds(10)), "192.0.2.7:5394");
    }
}
