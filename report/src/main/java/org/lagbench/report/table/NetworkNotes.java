package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.lab.LabRecord;
import org.lagbench.core.lab.Station;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;

/** What a reader must know of the network that a lab was: what it is, where it lost packets, whether it was filled. */
final class NetworkNotes {
    /** A link that carries less of what it could is not what held the sender back. */
    private static final double FILLED = 0.97;

    private NetworkNotes() {}

    /** The sentences; none for runs over the machines' own network. */
    static List<String> of(Summary summary, Axes axes) {
        Set<String> networks = new LinkedHashSet<>();
        List<String> notes = new ArrayList<>();
        for (PointSummary point : summary.points()) {
            List<LabRecord> labs = point.runs().stream()
                    .map(RunSummary::lab)
                    .filter(Objects::nonNull)
                    .toList();
            labs.forEach(
                    lab -> networks.add("Network " + lab.name() + ", made on this machine: " + lab.network() + "."));
            String cells = String.join(", ", axes.cells(point.point()));
            String dropped = dropped(labs);
            if (!dropped.isEmpty()) {
                notes.add(
                        "Lost in the network in runs of " + cells + ", warm-up and lead-in included: " + dropped + ".");
            }
            String unfilled = labs.isEmpty() ? null : unfilled(point.point(), point.pooled(), labs.get(0));
            if (unfilled != null) {
                notes.add(cells + ": " + unfilled);
            }
        }
        List<String> all = new ArrayList<>(networks);
        all.addAll(notes);
        return all;
    }

    /** How many were lost at each place where any were: "12 at the queue of sender to receiver, 5 by relay there". */
    private static String dropped(List<LabRecord> labs) {
        Map<String, Long> dropped = new TreeMap<>();
        for (LabRecord lab : labs) {
            for (Station station : lab.stations()) {
                long drops = station.counts().getOrDefault("drops", 0L);
                long lost = station.counts().getOrDefault("lost", 0L)
                        + station.counts().getOrDefault("queueFull", 0L)
                        + station.counts().getOrDefault("refused", 0L);
                if (drops > 0) {
                    dropped.merge("at the " + station.place(), drops, Long::sum);
                }
                if (lost > 0 && station.place().startsWith("relay")) {
                    dropped.merge("by the " + station.place(), lost, Long::sum);
                }
            }
        }
        return dropped.entrySet().stream()
                .map(place -> place.getValue() + " " + place.getKey())
                .collect(Collectors.joining(", "));
    }

    /** Whether the receiver, or the network, holds back a sender that is faster than they are. */
    private static boolean isHeldBackByReceiver(PointKey point) {
        return Transports.load()
                .find(point.transport())
                .map(Transport::isConnectionOriented)
                .orElse(true);
    }

    /** Of a flood without a connection that did not fill the link: what came, and what the link carries. */
    private static @Nullable String unfilled(PointKey point, Figures figures, LabRecord lab) {
        SeriesStatistics sending = figures.series().get(Series.SEND_DELAY);
        Double possible = lab.capacityPacketsPerS();
        if (isHeldBackByReceiver(point)
                || !point.paceMode().equals("flood")
                || possible == null
                || sending == null
                || !(sending.meanNs() > 0)) {
            return null;
        }
        double sent = 1e9 / sending.meanNs();
        return sent >= FILLED * possible
                ? null
                : String.format(
                        Locale.ROOT,
                        "%.0f packets/s were sent, and the link carries %.0f: it was not the link that held the sender"
                                + " back, but the CPU or the other load of this machine.",
                        sent,
                        possible);
    }
}
