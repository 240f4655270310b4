package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.model.LabRecord;
import org.lagbench.core.model.Station;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;

/** Notes on emulated networks: their settings, where they lost packets, and whether floods filled them. */
final class NetworkNotes {
    /** The share of the capacity from which a link counts as filled. */
    private static final double FILLED = 0.97;

    private NetworkNotes() {}

    /** Returns the notes; none for runs over the machines' own network. */
    static List<String> of(PointRows rows) {
        Set<String> networks = new LinkedHashSet<>();
        List<String> notes = new ArrayList<>();
        List<LabRecord> all = new ArrayList<>();
        for (PointSummary point : rows.summary().points()) {
            List<LabRecord> labs = point.runs().stream()
                    .map(RunSummary::lab)
                    .filter(Objects::nonNull)
                    .toList();
            labs.forEach(lab ->
                    networks.add("Network " + lab.name() + ", emulated on this machine: " + lab.network() + "."));
            all.addAll(labs);
            String dropped = dropped(labs);
            if (!dropped.isEmpty()) {
                notes.add("Lost in the network in runs of " + rows.name(point)
                        + ", including warm-up, lead-in and lead-out: " + dropped + ".");
            }
            String unfilled = labs.isEmpty() ? null : unfilled(point.point(), point.pooled(), labs.get(0));
            if (unfilled != null) {
                notes.add(rows.name(point) + ": " + unfilled);
            }
        }
        return Stream.of(networks.stream(), lateness(all).stream(), notes.stream())
                .flatMap(some -> some)
                .toList();
    }

    /** Returns how late packets left the emulated wires: the error of the time on the wire and of the delay. */
    private static Optional<String> lateness(List<LabRecord> labs) {
        Map<String, Long> sums = new TreeMap<>();
        labs.stream()
                .flatMap(lab -> lab.stations().stream())
                .filter(station -> station.counts().containsKey("latenessSumNs"))
                .forEach(station -> station.counts().forEach((name, count) -> sums.merge(name, count, Long::sum)));
        long packets = sums.getOrDefault("forwarded", 0L);
        return packets == 0
                ? Optional.empty()
                : Optional.of("Error of the emulated wires and delays: packets left them "
                        + Numbers.fixed(1, sums.getOrDefault("latenessSumNs", 0L) / 1e3 / packets)
                        + " µs late on average, " + share(sums, "lateOver10us", packets) + " by more than 10 µs, "
                        + share(sums, "lateOver100us", packets) + " by more than 100 µs, "
                        + share(sums, "lateOver1ms", packets) + " by more than 1 ms.");
    }

    private static String share(Map<String, Long> sums, String name, long packets) {
        return Numbers.fixed(2, 100.0 * sums.getOrDefault(name, 0L) / packets) + " %";
    }

    /** Returns the losses by place: "12 at the queue of sender to receiver, 5 by the relay forward". */
    private static String dropped(List<LabRecord> labs) {
        Map<String, Long> dropped = new TreeMap<>();
        for (LabRecord lab : labs) {
            for (Station station : lab.stations()) {
                long drops = station.counts().getOrDefault("drops", 0L);
                long lost = Stream.of("missed", "lost", "queueFull", "refused")
                        .mapToLong(name -> station.counts().getOrDefault(name, 0L))
                        .sum();
                if (drops > 0) {
                    dropped.merge("at the " + station.place(), drops, Long::sum);
                }
                if (lost > 0 && station.place().startsWith("relay")) {
                    dropped.merge("by the " + station.place(), lost, Long::sum);
                }
            }
        }
        return dropped.entrySet().stream()
                .map(place -> Numbers.grouped(place.getValue()) + " " + place.getKey())
                .collect(Collectors.joining(", "));
    }

    /** Returns whether the receiver or the network slows down a sender that is too fast. */
    private static boolean hasFlowControl(PointKey point) {
        return Transports.load()
                .find(point.transport())
                .map(Transport::isConnectionOriented)
                .orElse(true);
    }

    /** Returns the packet rate and the capacity if a flood without flow control did not fill the link. */
    private static @Nullable String unfilled(PointKey point, Metrics metrics, LabRecord lab) {
        SeriesStatistics sending = metrics.series().get(Series.SEND_DELAY);
        Double capacity = lab.capacityPacketsPerS();
        if (hasFlowControl(point)
                || !point.paceMode().equals("flood")
                || capacity == null
                || sending == null
                || !(sending.meanNs() > 0)) {
            return null;
        }
        double sent = 1e9 / sending.meanNs();
        return sent >= FILLED * capacity
                ? null
                : Numbers.grouped(0, sent) + " packets/s were sent over a link with a capacity of "
                        + Numbers.grouped(0, capacity)
                        + ". The CPU, or other load of this machine, limited the sender, not the link.";
    }
}
