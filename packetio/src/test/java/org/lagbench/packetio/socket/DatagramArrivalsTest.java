package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lagbench.core.run.Framing;
import org.lagbench.packetio.linux.LinuxArrivals;

/** Matches datagrams at known times with packets of 100 bytes. */
class DatagramArrivalsTest {
    private static final int PACKET_BYTES = 100;
    private static final int PACKETS = 4;
    private static final long LATER = Long.MAX_VALUE;

    private final List<long[]> datagrams = new ArrayList<>();

    private void datagram(long sequence, long bytes, long atNs) {
        datagrams.add(new long[] {atNs, sequence & 0xffff_ffffL, bytes});
    }

    /** Reads at most two datagrams at a time. */
    private int read(long from, long[] into) {
        int count = (int) Math.min(2, datagrams.size() - from);
        for (int i = 0; i < count; i++) {
            System.arraycopy(datagrams.get((int) from + i), 0, into, i * LinuxArrivals.FIELDS, LinuxArrivals.FIELDS);
        }
        return count;
    }

    private List<Long> all(Framing framing, long receivedNs) {
        DatagramArrivals arrivals = DatagramArrivals.of(this::read, framing, PACKET_BYTES, PACKETS);
        return LongStream.range(0, PACKETS)
                .mapToObj(packet -> arrivals.arrivedNs(packet, receivedNs))
                .toList();
    }

    @Test
    void stampsPacketsByTheirSequenceNumbers() {
        datagram(-1, 100, 900); // a packet of the warm-up
        datagram(0, 100, 1_000);
        datagram(3, 100, 2_000);
        datagram(1, 100, 3_000);
        datagram(4, 100, 4_000);
        assertThat(all(Framing.NONE, LATER)).containsExactly(1_000L, 3_000L, 0L, 2_000L);
    }

    @Test
    void stampsNothingThatIsNoPacket() {
        datagram(0, 99, 1_000);
        datagram(1, 101, 2_000);
        datagrams.add(new long[] {0, 2, 100}); // a record that is not written yet
        assertThat(all(Framing.NONE, LATER)).containsOnly(0L);
    }

    @Test
    void stampsAllPacketsOfADatagramWithItsTime() {
        datagram(-1, 2 * 160, 1_000);
        datagram(1, 3 * 160, 2_000);
        assertThat(all(new Framing(32, 32), LATER)).containsExactly(1_000L, 2_000L, 2_000L, 2_000L);
    }

    /** The kernel may have dropped what arrived first, unless the packet was received before it arrived again. */
    @Test
    void doesNotStampAPacketThatArrivedTwiceBeforeItWasReceived() {
        datagram(0, 100, 3_000); // two CPUs may record in another order
        datagram(0, 100, 1_000);
        datagram(0, 100, 2_000);
        datagram(1, 100, 1_500);
        assertThat(all(Framing.NONE, 2_001)).startsWith(0L, 1_500L);
        assertThat(all(Framing.NONE, 2_000)).startsWith(1_000L, 1_500L);
        assertThat(all(Framing.NONE, 1_200)).startsWith(1_000L, 0L); // cannot have been received before
    }
}
