package org.lagbench.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.core.model.Network.Framing;

class LinkCapacityTest {
    @Test
    void countsHeadersPreambleAndGap() {
        assertThat(fastEthernet(Framing.ETHERNET).udpPacketsPerS(992)).isCloseTo(1e8 / 8 / 1_058, within(1e-6));
        assertThat(fastEthernet(Framing.ETHERNET).udpPacketsPerS(396)).isCloseTo(27_056.28, within(0.01));
        assertThat(fastEthernet(Framing.NONE).udpPacketsPerS(992)).isCloseTo(1e8 / 8 / 1_034, within(1e-6));
    }

    @Test
    void padsToShortestFrame() {
        // 24 bytes take 90 on the wire; 18 bytes and less take a frame of 64 bytes, 148,809 of which fit in a second.
        assertThat(fastEthernet(Framing.ETHERNET).udpPacketsPerS(24)).isCloseTo(138_888.89, within(0.01));
        assertThat(fastEthernet(Framing.ETHERNET).udpPacketsPerS(1)).isCloseTo(148_809.52, within(0.01));
    }

    @Test
    void countsHeaderOfEachFragment() {
        // 1472 bytes fill a frame of 1538; one byte more takes a second frame, of the shortest size.
        assertThat(fastEthernet(Framing.ETHERNET).udpPacketsPerS(1_472)).isCloseTo(1e8 / 8 / 1_538, within(1e-6));
        assertThat(fastEthernet(Framing.ETHERNET).udpPacketsPerS(1_473))
                .isCloseTo(1e8 / 8 / (1_538 + 84), within(1e-6));
    }

    @Test
    void fillsTcpSegmentsWithAnyPacketSize() {
        assertThat(fastEthernet(Framing.ETHERNET).tcpPacketsPerS(992)).isCloseTo(11_863, within(0.5));
        assertThat(fastEthernet(Framing.ETHERNET).tcpPacketsPerS(24) * 24)
                .isCloseTo(fastEthernet(Framing.ETHERNET).tcpPacketsPerS(992) * 992, within(1e-3));
    }

    @Test
    void respectsMinPacketTime() {
        LinkCapacity slow = new LinkCapacity(link(80_000), Framing.ETHERNET);
        assertThat(slow.udpPacketsPerS(24)).isCloseTo(12_500, within(1e-6));
        assertThat(slow.udpPacketsPerS(992)).isCloseTo(1e8 / 8 / 1_058, within(1e-6));
    }

    private static LinkCapacity fastEthernet(Framing framing) {
        return new LinkCapacity(link(0), framing);
    }

    private static LinkDirection link(long packetNs) {
        LinkDirection.Queue queue = new LinkDirection.Queue(LinkDirection.Queue.Unit.PACKETS, 1_000);
        return new LinkDirection(100_000_000, packetNs, queue, 0, 0, 0, 0, 0, 0, 0, null, List.of());
    }
}
