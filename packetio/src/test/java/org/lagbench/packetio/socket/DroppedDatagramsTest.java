package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.model.Wire;
import org.lagbench.packetio.transport.PacketReceiver;

/** Divides the drops of a socket by the kernel's counters of each reason. */
class DroppedDatagramsTest {
    private static final long UNKNOWN = -1;

    private long atSocket;
    private UdpCounters inNamespace = counters(1_000, 2_000, 0, 0);
    private final DroppedDatagrams dropped = new DroppedDatagrams(() -> atSocket, () -> inNamespace);

    private static UdpCounters counters(long damaged, long overflowed, long refused, long discarded) {
        return new UdpCounters(damaged, overflowed, refused, discarded, 0, 0, 0, 0, 0);
    }

    private void count(long drops, long damaged, long overflowed) {
        atSocket = drops;
        inNamespace = counters(1_000 + damaged, 2_000 + overflowed, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0",
        "78, 78, 0, 0, 78",
        "78, 0, 78, 78, 0",
        "78, 30, 48, 48, 30",
        "78, 30, 500, 48, 30", // another socket's buffer was full
        "78, 100, 48, 0, 78", // another socket had damaged datagrams: in doubt a drop was damaged
        "78, 30, 40, 40, 30", // a filter of the socket dropped eight
        "0, 30, 40, 0, 0"
    })
    void dividesDrops(long drops, long damaged, long overflowed, long expectedOverflowed, long expectedDamaged) {
        count(drops, damaged, overflowed);
        assertThat(dropped.overflowed()).isEqualTo(expectedOverflowed);
        assertThat(dropped.damaged()).isEqualTo(expectedDamaged);
    }

    /** The kernel counts a drop at the socket first. */
    @Test
    void countsNoOverflowUntilReasonIsCounted() {
        count(1, 0, 0);
        assertThat(dropped.overflowed()).isZero();
        count(1, 1, 0);
        assertThat(dropped.overflowed()).isZero();
        assertThat(dropped.damaged()).isEqualTo(1);
        count(3, 1, 2);
        assertThat(dropped.overflowed()).isEqualTo(2);
        count(3, 2, 2);
        assertThat(dropped.overflowed()).isEqualTo(2);
        assertThat(dropped.damaged()).isEqualTo(1);
    }

    @Test
    void countsDamageOfNamespaceIfSocketDoesNotCount() {
        count(UNKNOWN, 7, 9);
        assertThat(dropped.overflowed()).isEqualTo(UNKNOWN);
        assertThat(dropped.damaged()).isEqualTo(7);
        assertThat(DroppedDatagrams.of(() -> UNKNOWN, Wire.BUS).damaged()).isZero();
        assertThat(DroppedDatagrams.of(() -> PacketReceiver.NOT_COUNTED, Wire.TCP)
                        .overflowed())
                .isZero();
    }

    @Test
    void countsDropsOfNamespaceForLibrary() {
        count(PacketReceiver.NOT_COUNTED, 7, 9);
        assertThat(dropped.overflowed()).isEqualTo(9);
        assertThat(dropped.damaged()).isEqualTo(7);
    }

    /** A filter discards, and a full send buffer refuses: only a queue does both. */
    @Test
    void countsDropsOfQueueByBothCounters() {
        assertThat(counters(0, 0, 902, 905).queueDrops()).isEqualTo(902);
        assertThat(counters(0, 0, 50, 0).queueDrops()).isZero();
    }

    /** What waited for a link address is reported as unreachable, as is much else. */
    @Test
    void countsUnreachablePacketsOnlyOfUnresolvedHops() {
        assertThat(new UdpCounters(0, 0, 0, 0, 101, 904, 1, 0, 0).unresolvedDrops())
                .isEqualTo(1005);
        assertThat(new UdpCounters(0, 0, 0, 0, 101, 904, 0, 0, 0).unresolvedDrops())
                .isEqualTo(904);
    }

    /** The neighbor tables count for all network namespaces. */
    @Test
    void countsDiscardedPacketsOnlyWithHopsThatHaveNoLinkAddress() {
        assertThat(new UdpCounters(0, 0, 0, 0, 0, 904, 1, 0, 0).unresolvedDrops())
                .isZero();
        assertThat(new UdpCounters(0, 0, 0, 0, 0, 904, 0, 1, 0).unresolvedDrops())
                .isEqualTo(904);
        assertThat(new UdpCounters(0, 0, 0, 0, 0, 904, 0, 0, 1).unresolvedDrops())
                .isEqualTo(904);
    }

    @Test
    void readsCountersOfBothVersions() {
        assertThat(UdpCounters.parse(
                        List.of(
                                "Ip: Forwarding DefaultTTL OutDiscards OutNoRoutes",
                                "Ip: 2 64 903 0",
                                "Icmp: InMsgs InCsumErrors OutDestUnreachs",
                                "Icmp: 15 9 12",
                                "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors"
                                        + " IgnoredMulti MemErrors",
                                "Udp: 73665 14 0 73681 5 902 78 0 2",
                                "UdpLite: RcvbufErrors InCsumErrors",
                                "UdpLite: 100 100"),
                        List.of(
                                "Ip6OutDiscards                  \t7",
                                "Icmp6InCsumErrors               \t11",
                                "Icmp6OutDestUnreachs            \t4",
                                "Icmp6OutNeighborSolicits        \t9",
                                "Icmp6InNeighborAdvertisements   \t6",
                                "Udp6RcvbufErrors                \t10",
                                "Udp6SndbufErrors                \t20",
                                "Udp6InCsumErrors                \t30",
                                "Udp6MemErrors                   \t40",
                                "UdpLite6RcvbufErrors            \t50"),
                        List.of(
                                List.of(
                                        "entries  res_failed unresolved_discards table_fulls",
                                        "00000009 00000001   00000074            00000000",
                                        "00000009 00000000   00000020            00000000"),
                                List.of("entries  res_failed unresolved_discards", "00000001 00000001   00000004")),
                        List.of(
                                "IP address       HW type     Flags       HW address            Mask     Device",
                                "192.0.2.1        0x1         0x2         52:54:00:12:34:56     *        eth0",
                                "192.0.2.9        0x1         0x0         00:00:00:00:00:00     *        eth0")))
                .isEqualTo(new UdpCounters(108, 57, 922, 910, 16, 0x98, 2, 3, 1));
        assertThat(UdpCounters.parse(List.of(), List.of(), List.of(), List.of()))
                .isEqualTo(UdpCounters.NONE);
        assertThat(UdpCounters.parse(
                        List.of("Udp: InCsumErrors", "Udp: 4"), List.of(), List.of(List.of("entries")), List.of()))
                .isEqualTo(counters(4, 0, 0, 0));
    }
}
