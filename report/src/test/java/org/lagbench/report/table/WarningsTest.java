package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.run.DropFacts;
import org.lagbench.core.run.RunRecord.Counts;
import org.lagbench.core.run.RunRecord.LabRecord;
import org.lagbench.core.run.RunRecord.LabRecord.Station;
import org.lagbench.core.run.RunRecord.State;

class WarningsTest {
    private static final String LOST =
            "Packets were lost: 50.0 % of UDP/IP, 24 bytes. Lags are of the packets that" + " arrived.";

    private final SessionFixture session;

    WarningsTest(@TempDir Path directory) throws IOException {
        session = new SessionFixture(directory.resolve("session"));
    }

    @Test
    void namesOverflowedReceiveBufferAndLargerOne() throws Exception {
        halfLost(2).metadata(Map.of(), Map.of("receiveBufferBytes", 212_992)).write();
        assertThat(warnings())
                .containsExactly(LOST, "The receive buffer (208 KiB) overflowed 2 times: try --receive-buffer 4MiB.");
    }

    @Test
    void advisesSlowerPaceWhereBufferIsLarge() throws Exception {
        halfLost(2).metadata(Map.of(), Map.of("receiveBufferBytes", 8 << 20)).write();
        assertThat(warnings())
                .containsExactly(
                        LOST,
                        "The receive buffer (8 MiB) overflowed 2 times: the receiver was too slow then. If nothing"
                                + " stopped it or the sender (--view ledger), send slower by --interval.");
    }

    @Test
    void separatesReceiverDropsFromEarlierLoss() throws Exception {
        halfLost(1).metadata(Map.of(), Map.of("receiveBufferBytes", 212_992)).write();
        assertThat(warnings())
                .containsExactly(
                        LOST,
                        "The receive buffer (208 KiB) overflowed at least 1 time: try --receive-buffer 4MiB.",
                        "1 packet was lost on the wire or in a queue before the receiver, or arrived later than drain:"
                                + " no buffer of the receiver is known to have dropped them. If a longer --interval"
                                + " loses none, a queue was full.");
    }

    @Test
    void namesFirewallOfTheReceiver() throws Exception {
        Path run = halfLost(0)
                .metadata(
                        Map.of(),
                        Map.of(
                                "dropTimes",
                                DropFacts.OBSERVER,
                                "dropTimesLost",
                                0,
                                "dropReasons",
                                "6 SOCKET_RCVBUFF, 12 NETFILTER_DROP"))
                .write();
        try (GrowingCapture drops = DropsCapture.create(run.resolve(DropsCapture.FILE_NAME))) {
            drops.append(1, 1, 12);
            drops.append(2, 2, 12);
        }
        assertThat(warnings())
                .containsExactly(
                        LOST,
                        "The receiver's kernel dropped packets, though no buffer was full: NETFILTER_DROP 2."
                                + " NETFILTER_DROP is a rule of the receiver's firewall.");
    }

    @Test
    void doesNotBlameThePathForPacketsOfARunThatEndedEarly() throws Exception {
        halfLost(0).ended(State.BROKEN, "The receiver ended.").write();
        assertThat(Warnings.of(Summaries.of(Session.open(session.path()), new SummaryOptions(true, false))))
                .contains("2 packets have no stamp of arrival: a side ended early, so some of them need not be lost, in"
                        + " a.")
                .noneMatch(warning -> warning.contains("on the wire"));
    }

    @Test
    void namesQueueOfEmulatedNetworkButNotItsRequestedLoss() throws Exception {
        Station queue = new Station("queue of sender", Map.of("packets", 9L, "drops", 3L));
        Station relay = new Station("relay forward", Map.of("lost", 4L, "queueFull", 1L, "missed", 0L));
        LabRecord lab = new LabRecord("test-net", "{rate: 100mbit}", 100_000_000, 138_888.9, List.of(queue, relay));
        halfLost(0).lab(lab).write();
        assertThat(warnings())
                .hasSize(2)
                .last()
                .isEqualTo("A queue of the emulated network was full for 4 packets, warm-up included: the link carries"
                        + " 138,889 packets/s, an --interval of at least 8us.");
    }

    @Test
    void doesNotWarnOfLossThatLabRequests() throws Exception {
        Station relay = new Station("relay forward", Map.of("lost", 1L, "damaged", 1L));
        halfLost(0)
                .lab(new LabRecord("test-net", "{loss: 2%}", 0, null, List.of(relay)))
                .write();
        assertThat(warnings()).isEmpty();
    }

    /** The lab's counts contain the warm-up, whose losses may be more than all of the recorded packets'. */
    @Test
    void warnsOfOtherLossBesidesTheRequestedOne() throws Exception {
        Station relay = new Station("relay forward", Map.of("lost", 100L, "damaged", 1L));
        halfLost(2)
                .metadata(Map.of(), Map.of("receiveBufferBytes", 212_992))
                .lab(new LabRecord("test-net", "{loss: 2%}", 0, null, List.of(relay)))
                .write();
        assertThat(warnings())
                .hasSize(2)
                .last()
                .isEqualTo("The receive buffer (208 KiB) overflowed 2 times: try --receive-buffer 4MiB.");
    }

    @Test
    void namesThePointOfSeveralThatLostPackets() throws Exception {
        halfLost(2).metadata(Map.of(), Map.of("receiveBufferBytes", 212_992)).write();
        run("b", 992, -1).write();
        assertThat(warnings())
                .contains(
                        "UDP/IP, 24 bytes: The receive buffer (208 KiB) overflowed 2 times: try --receive-buffer 4MiB.")
                .anySatisfy(warning -> assertThat(warning)
                        .startsWith("UDP/IP, 992 bytes: 2 packets were lost on the wire")
                        .contains("the receiver did not report drops of its buffer"));
    }

    @Test
    void statesWhereRoundTripsWereLost() throws Exception {
        session.run("a", "udp", 24)
                .sent(0, 10, 20, 30)
                .received(new long[] {0, 5, 6}, new long[] {3, 35, 36})
                .answered(1_000_000, new long[] {3, 40, 36})
                .write();
        assertThat(warnings())
                .startsWith("Packets had no reply in time: 75.0 % of UDP/IP, 24 bytes, traffic round-trip (50.0 % lost"
                        + " forward, 50.0 % of the replies lost back, 0 % late)."
                        + " Round trips are of the packets with a reply.");
    }

    @Test
    void warnsIfPacketsArriveButNoReply() throws Exception {
        session.run("a", "udp", 24)
                .sent(0, 10)
                .received(new long[] {0, 5, 6}, new long[] {1, 15, 16})
                .answered(1_000_000)
                .write();
        assertThat(warnings())
                .containsExactly(
                        "The packets arrived, but no reply came back in 1 run (a). Does a firewall or NAT block the"
                                + " replies?",
                        "Packets had no reply in time: 100.0 % of UDP/IP, 24 bytes, traffic round-trip (0 % lost"
                                + " forward, 100.0 % of the replies lost back, 0 % late)."
                                + " Round trips are of the packets with a reply.");
    }

    @Test
    void countsPacketsThatDidNotLeaveTheHost() throws Exception {
        halfLost(0)
                .metadata(
                        Map.of("failedSends", Map.of("ENETUNREACH", 1, "EPERM", 1)),
                        Map.of("retriedSends", Map.of("ECONNREFUSED", 3)))
                .write();
        assertThat(warnings())
                .containsExactly(
                        LOST,
                        "2 packets did not leave the sender's host, those around the recorded ones included: 1"
                                + " ENETUNREACH (there was no route), 1 EPERM (a filter of this host drops them).",
                        "3 errors of earlier packets were reported by the network, those around the recorded ones"
                                + " included: 3 ECONNREFUSED (the receiver's port was closed, or a firewall rejected"
                                + " them).");
    }

    @Test
    void countsPacketsThatTheLibraryDropped() throws Exception {
        halfLost(0).metadata(Map.of("udpPacketsNotSent", 2), Map.of()).write();
        assertThat(warnings())
                .containsExactly(
                        LOST,
                        "2 packets were dropped by the sender's library, those around the recorded ones included: its"
                                + " queue was full, or they were late.");
    }

    /** A full buffer is not the reason, so that neither a larger one nor a slower sender helps. */
    @Test
    void namesDamagedPackets() throws Exception {
        halfLost(0).metadata(Map.of(), Map.of("damagedPackets", 2)).write();
        assertThat(warnings())
                .containsExactly(
                        LOST,
                        "2 packets arrived damaged, with a wrong checksum or number: the link or a network card"
                                + " corrupts them.");
    }

    @Test
    void doesNotSuspectFirewallIfAllPacketsArrivedDamaged() throws Exception {
        session.run("a", "udp", 24)
                .sent(0, 10)
                .received()
                .counts(new Counts(0, 0, 0, 0, 0, 0, 0, null))
                .metadata(Map.of(), Map.of("damagedPackets", 2))
                .write();
        assertThat(warnings())
                .containsExactly(
                        "Packets were lost: 100.0 % of UDP/IP, 24 bytes. Lags are of the packets that arrived.",
                        "2 packets arrived damaged, with a wrong checksum or number: the link or a network card"
                                + " corrupts them.");
    }

    @Test
    void doesNotSuspectFirewallIfKernelDroppedAllPackets() throws Exception {
        session.run("a", "udp", 24)
                .setting("receive-buffer", "auto")
                .sent(0, 10)
                .received()
                .counts(new Counts(0, 0, 0, 0, 0, 0, 2, null))
                .metadata(Map.of(), Map.of("receiveBufferBytes", 212_992))
                .write();
        assertThat(warnings())
                .containsExactly(
                        "Packets were lost: 100.0 % of UDP/IP, 24 bytes. Lags are of the packets that arrived.",
                        "The receive buffer (208 KiB) overflowed 2 times: try --receive-buffer 4MiB.");
    }

    @Test
    void doesNotSuspectFirewallIfNoPacketWasSent() throws Exception {
        session.run("a", "udp", 24)
                .sent(0, 10)
                .received()
                .metadata(Map.of("failedSends", Map.of("ENETDOWN", 2)), Map.of())
                .write();
        assertThat(warnings())
                .containsExactly(
                        "Packets were lost: 100.0 % of UDP/IP, 24 bytes. Lags are of the packets that arrived.",
                        "2 packets did not leave the sender's host, those around the recorded ones included: 2"
                                + " ENETDOWN (the network interface is down).");
    }

    /** Over IPv4 packets of up to 548 bytes fit the MTU of any path, over IPv6 of up to 1,232. */
    @ParameterizedTest
    @CsvSource({"24, 192.0.2.7:9, false", "1000, 192.0.2.7:9, true", "1000, [2001:db8::7]:9, false"})
    void asksForTheMtuOnlyOfLargePackets(int bytes, String address, boolean asks) throws Exception {
        session.run("a", "udp", bytes)
                .sent(0, 10)
                .received()
                .metadata(Map.of("pathMtuBytes", 1500, "localAddress", address), Map.of())
                .write();
        assertThat(warnings())
                .startsWith("No packet arrived in 1 run (a). Does a firewall block the packets"
                        + (asks ? ", or do they not fit the path's MTU (lagbench doctor HOST --size)?" : "?"));
    }

    /** The library holds packets back, because nothing is acknowledged. */
    @Test
    void asksForTheWayIfTheLibraryHeldPackets() throws Exception {
        lostAll(Map.of("udpPacketsNotSent", 3)).write();
        assertThat(warnings()).startsWith("No packet arrived in 1 run (a). Does a firewall block the packets?");
    }

    @Test
    void asksForTheWayIfTheHostRefusedSomePackets() throws Exception {
        lostAll(Map.of("failedSends", Map.of("EPERM", 1))).write();
        assertThat(warnings())
                .containsExactly(
                        "No packet arrived in 1 run (a). Does a firewall block the packets?",
                        "Packets were lost: 100.0 % of UDP/IP, 24 bytes. Lags are of the packets that arrived.",
                        "1 packets did not leave the sender's host, those around the recorded ones included: 1 EPERM (a"
                                + " filter of this host drops them).");
    }

    /** Nothing is acknowledged, because the host refuses it. */
    @Test
    void doesNotAskForTheWayIfTheLibraryHeldTheOthers() throws Exception {
        lostAll(Map.of("failedSends", Map.of("EPERM", 1), "udpPacketsNotSent", 2))
                .write();
        assertThat(warnings()).noneMatch(warning -> warning.startsWith("No packet arrived"));
    }

    private RunFixture lostAll(Map<String, Object> sender) {
        return session.run("a", "udp", 24).sent(0, 10, 20).received().metadata(sender, Map.of());
    }

    @Test
    void namesPathMtuOfFragmentedPackets() throws Exception {
        session.run("a", "udp", 1400)
                .sent(0, 10)
                .received(new long[] {0, 5}, new long[] {1, 15})
                .metadata(Map.of("pathMtuBytes", 1300, "localAddress", "192.0.2.7:9"), Map.of())
                .write();
        assertThat(warnings())
                .containsExactly("UDP/IP, 1400 bytes: packets do not fit the path's MTU of 1,300 bytes. Each was"
                        + " fragmented into 2 IP packets, and is lost if one of them is.");
    }

    @Test
    void namesNoFragmentsIfTheHostRefusedThem() throws Exception {
        session.run("a", "udp", 1400)
                .sent(0, 10)
                .received(new long[] {0, 5}, new long[] {1, 15})
                .metadata(
                        Map.of(
                                "pathMtuBytes",
                                1300,
                                "localAddress",
                                "192.0.2.7:9",
                                "failedSends",
                                Map.of("EMSGSIZE", 2)),
                        Map.of())
                .write();
        assertThat(warnings()).isEmpty();
    }

    private RunFixture halfLost(long kernelDrops) {
        return run("a", 24, kernelDrops);
    }

    /** Returns a run of four packets of which two arrived; −1 drops are unknown. */
    private RunFixture run(String name, int bytes, long kernelDrops) {
        return session.run(name, "udp", bytes)
                .setting("receive-buffer", "auto")
                .sent(0, 10, 20, 30)
                .received(new long[] {0, 5}, new long[] {3, 35})
                .counts(new Counts(2, 2, 0, 0, 0, 0, kernelDrops, null));
    }

    private List<String> warnings() throws Exception {
        return Warnings.of(Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT));
    }
}
