package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.summary.LossPlaces;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.run.MetricRegistry;

/**
 * Plants reasons of losses between two hosts: each lost packet has one place, and nearly all have the planted one. With
 * {@code -Dlagbench.places=all} each engine meets each reason, in ten minutes; otherwise few do, those that differ
 * most.
 */
@Tag("one-java")
class LossPlacesTest {
    private static final boolean IS_COMPLETE = "all".equals(System.getProperty("lagbench.places"));
    private static final String KEY = "LAGBENCH_KEY=0123456789abcdef0123456789abcdef";
    private static final String NO_CHRONY = "127.0.0.1:1";

    /** The share of the lost packets that have the planted place; libraries also drop packets next to these. */
    private static final double NEARLY_ALL = .95;

    /** The share if copies of packets have a place too, or some still wait in a queue at the end. */
    private static final double MOST = .75;

    /** The engines whose libraries send lost packets again. */
    private static final Set<String> REPAIRING = Set.of("aeron", "srt", "rist");

    /** QUIC with packets of which several fit into one datagram of UDP. */
    private static final String SMALL_QUIC = "quic-small";

    private static final Map<String, String> RUNS = new LinkedHashMap<>();

    static {
        for (String engine : List.of("java", "java-nio", "c", "netty", "aeron")) {
            RUNS.put(engine, "udp --engine " + engine);
        }
        RUNS.put("quic", "udp --engine quic --quic.delivery datagram");
        RUNS.put(SMALL_QUIC, RUNS.get("quic"));
        RUNS.put("srt", "srt --latency 60ms");
        RUNS.put("rist", "rist --buffer 60ms");
    }

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    /** What loses packets, and which engines meet it in a run of all tests. */
    private enum Reason {
        FILTER("notSent", "srt"),
        PROHIBITED("notSent", "quic quic-small aeron"),
        LINK_DOWN("notSent", "java"),
        NO_NEXT_HOP("notSent", "c"),
        OWN_QUEUE("ownQueue", "netty srt"),
        BLACK_HOLE("wire", "quic"),
        WRONG_CHECKSUM("damaged", ""),
        OTHER_NUMBER("damaged", "c"),
        OTHER_TAG("damaged", ""),
        RECEIVE_BUFFER("receiveBuffer", ""),
        TOO_LATE("wire", "rist");

        private final String place;
        private final String usual;

        Reason(String place, String usual) {
            this.place = place;
            this.usual = usual;
        }

        List<String> engines() {
            if (!IS_COMPLETE) {
                return usual.isEmpty() ? List.of() : List.of(usual.split(" "));
            }
            return switch (this) {
                // others have a larger buffer, a header before the packet's number, or send less without replies
                case RECEIVE_BUFFER, OTHER_NUMBER, OTHER_TAG, NO_NEXT_HOP -> List.of("java", "java-nio", "c", "netty");
                // QUIC's packets do not leave in fragments, so that this host does not compute their checksums
                case WRONG_CHECKSUM ->
                    RUNS.keySet().stream()
                            .filter(engine -> !engine.startsWith("quic"))
                            .toList();
                case BLACK_HOLE, TOO_LATE -> // only large packets are lost
                    RUNS.keySet().stream()
                            .filter(engine -> !engine.equals(SMALL_QUIC))
                            .toList();
                default -> List.copyOf(RUNS.keySet());
            };
        }

        Set<String> places(String engine) {
            boolean isLibrary = engine.equals("srt") || engine.equals("rist");
            if (isLibrary && place.equals("wire")) {
                return Set.of("givenUp"); // these do not report whether a packet came at all
            }
            if (engine.equals("quic") && this == BLACK_HOLE) {
                return Set.of("senderLibrary"); // it waits for acknowledgments of the first ten packets
            }
            return engine.startsWith("quic") && (place.equals("notSent") || this == OWN_QUEUE)
                    ? Set.of(place, "senderLibrary") // it waits for acknowledgments of what this host did not send
                    : Set.of(place);
        }

        RoutedHosts.Fault plant(RoutedHosts hosts) throws Exception {
            return switch (this) {
                case FILTER -> hosts.filterFast();
                case PROHIBITED -> hosts.prohibitFast();
                case LINK_DOWN -> hosts.interruptLink();
                case NO_NEXT_HOP -> hosts.misrouteFast();
                case OWN_QUEUE -> hosts.shortenQueue();
                case BLACK_HOLE -> hosts.dropLarge(1_350);
                case WRONG_CHECKSUM -> hosts.damageFast(true, 8 * (8 + 100));
                case OTHER_NUMBER -> hosts.damageFast(false, 8 * (8 + 15));
                case OTHER_TAG -> hosts.damageFast(false, 8 * 8);
                case RECEIVE_BUFFER -> () -> {};
                case TOO_LATE -> hosts.lengthenQueue();
            };
        }

        List<String> commands() {
            return engines().stream()
                    .map(engine -> "run " + RUNS.get(engine).replaceFirst(" ", " " + RoutedHosts.THERE_ADDRESS + " ")
                            + (RUNS.get(engine).startsWith("udp") ? " --receive-buffer " + bufferSize() : "")
                            + options(engine) + " --drain " + drain(engine) + " --clock.chrony " + NO_CHRONY
                            + " --no-report --allow-missing 100% --output " + output(engine))
                    .toList();
        }

        private String bufferSize() {
            return this == RECEIVE_BUFFER ? "4KiB" : "4MiB"; // with room for all packets
        }

        /** Packets wait for ARP, which asks once a second, or in QUIC's queue. SRT and RIST would retransmit them. */
        private String drain(String engine) {
            boolean isWaiting = this == LINK_DOWN && !REPAIRING.contains(engine);
            return isWaiting || engine.startsWith("quic") ? "1500ms" : "100ms";
        }

        String output(String engine) {
            return name() + "-" + engine;
        }

        private String options(String engine) {
            return switch (this) {
                case BLACK_HOLE -> " --size 1400 --interval 1ms --packets 300 --warm-up-packets 50";
                case RECEIVE_BUFFER -> " --flood --packets 20000 --warm-up-packets 50";
                default ->
                    engine.equals(SMALL_QUIC)
                            ? " --interval 300us --packets 3000 --warm-up-packets 50 --size 396"
                            : " --interval 1ms --packets 1000 --warm-up-packets 50 --size 1000";
            };
        }
    }

    /** All reasons meet the same two hosts and server, one after the other. */
    @Test
    void eachLostPacketHasOnePlace() throws Exception {
        try (RoutedHosts hosts = RoutedHosts.create("places", 1500);
                LagbenchProcess server = LagbenchProcess.startBy(
                        TwoHosts.on(hosts.there(), KEY), directory, "serve", "--chrony", NO_CHRONY);
                LagbenchBatch here = LagbenchBatch.startBy(TwoHosts.on(hosts.here(), KEY), directory)) {
            server.awaitOut("Press Ctrl-C");
            List<String> wrong = new ArrayList<>();
            for (Reason reason : Reason.values()) {
                if (reason.engines().isEmpty()) {
                    continue;
                }
                List<CommandResult> results;
                RoutedHosts.Fault fault = reason.plant(hosts);
                try (fault) {
                    results = here.run(reason.commands());
                }
                for (int i = 0; i < results.size(); i++) {
                    check(reason, reason.engines().get(i), results.get(i), wrong);
                }
            }
            assertThat(wrong).isEmpty();
        }
    }

    private void check(Reason reason, String engine, CommandResult result, List<String> wrong) throws Exception {
        if (result.exitCode() != 0) {
            wrong.add(reason + " " + engine + " ended with " + result.exitCode() + ": " + result.err());
            return;
        }
        PointSummary point = point(reason.output(engine));
        Map<String, Long> places = places(point);
        long lost = point.pooled().packets().lost();
        String counted = reason + " " + engine + ": " + lost + " lost, " + places;
        long placed = places.values().stream().mapToLong(packets -> packets).sum();
        double share = REPAIRING.contains(engine) || reason == Reason.NO_NEXT_HOP ? MOST : NEARLY_ALL;
        boolean isRepaired = engine.equals("aeron") || (reason == Reason.LINK_DOWN && REPAIRING.contains(engine));
        boolean isExpected = lost > 0 || isRepaired;
        if (reason.place.equals("notSent") && point.pooled().get(MetricGroup.FAILED_SENDS) == null) {
            wrong.add(reason + " " + engine + ": no failed sends");
        }
        long planted = reason.places(engine).stream()
                .mapToLong(place -> places.getOrDefault(place, 0L))
                .sum();
        if (!isExpected || placed != lost || planted < share * lost) {
            wrong.add(counted);
        }
    }

    private PointSummary point(String output) throws Exception {
        try (Stream<Path> sessions = Files.list(directory.resolve(output))) {
            Session session = Session.open(sessions.findFirst().orElseThrow());
            return Summaries.of(session, SummaryOptions.DEFAULT).points().get(0);
        }
    }

    /** Returns the places that have packets, by their names. */
    private static Map<String, Long> places(PointSummary point) throws Exception {
        Map<String, Long> named = new LinkedHashMap<>();
        for (RecordComponent place : LossPlaces.class.getRecordComponents()) {
            double packets = point.value(MetricRegistry.named("lossPlaces." + place.getName()));
            if (packets > 0) {
                named.put(place.getName(), (long) packets);
            }
        }
        return named;
    }
}
