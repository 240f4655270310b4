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
import org.lagbench.analysis.cause.CauseGroups;
import org.lagbench.analysis.cause.ObservationPrice;
import org.lagbench.analysis.clock.Estimator;
import org.lagbench.analysis.summary.ClockEffect;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.RepeatIntervals;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.LabRecord;
import org.lagbench.core.text.Units;

/** The notes below tables: those of lag tables, and those of all tables. */
public final class TableNotes {
    /** The share of the capacity from which a link counts as filled. */
    private static final double FILLED = 0.97;

    private TableNotes() {}

    /** Returns the notes below those lag tables that are laid out as in the paper. */
    static List<String> ofPaper(PointRows rows) {
        return of(
                rows,
                true,
                List.of(
                        "Quantiles by estimator R-7; sample standard deviation (n − 1); the repeats of"
                                + " a point are pooled.",
                        "With Q95 removed: statistics of the values ≤ Q95, the 95 % quantile. \"Above Q95\" is the"
                                + " number of removed values. The same applies to Q99."));
    }

    /** Returns the notes on the lag tables. */
    static List<String> ofLags(PointRows rows) {
        List<String> notes = new ArrayList<>();
        notes.add("Q95 and Q99 are quantiles by estimator R-7; the repeats of a point are pooled.");
        if (rows.any(point -> point.runs().size() > 1)) {
            notes.add("Over the runs: with that confidence an interval contains the median of the metric over all"
                    + " possible runs (order statistics of the runs). Fewer than " + RepeatIntervals.MIN
                    + " runs do not reach 95 %: their interval is the whole range.");
        } else {
            notes.add("Each point was measured once: how much repeats differ is not known.");
        }
        return of(rows, LagView.hasBounds(rows), notes);
    }

    /**
     * Returns notes.
     *
     * @param hasBounds whether the lag table has columns of the clock
     */
    private static List<String> of(PointRows rows, boolean hasBounds, List<String> ofStatistics) {
        List<String> notes = new ArrayList<>();
        if (!rows.summary().points().isEmpty()) {
            notes.addAll(ofStatistics);
            addClock(rows, hasBounds, notes);
            addSharedStamps(rows, notes);
        }
        if (rows.summary().corrected()) {
            addCorrected(rows.summary(), notes);
        }
        notes.addAll(ofNetworks(rows));
        addPrices(rows, notes);
        rows.summary().points().stream()
                .filter(point -> point.pooled().packets().negativeLags() > 0)
                .forEach(point -> notes.add(negativeLags(rows, point)));
        return notes;
    }

    /** Returns the notes on excluded runs, which every view has. */
    public static List<String> ofExcluded(Summary summary) {
        return summary.excluded().stream()
                .map(run -> "Excluded: " + run.name() + ", " + run.reason()
                        + (run.reason().endsWith(".") ? "" : "."))
                .toList();
    }

    /** Returns the notes on incomplete, excluded and missing runs. */
    static List<String> ofRuns(Summary summary) {
        List<String> notes = new ArrayList<>();
        summary.points().stream()
                .flatMap(point -> point.runs().stream())
                .filter(run -> run.state() != RunRecord.State.COMPLETE)
                .forEach(run -> notes.add("Included although it did not complete: " + run.name() + "."
                        + (run.state() == RunRecord.State.BROKEN
                                ? ""
                                : " Packets in flight at its end are left out.")));
        notes.addAll(ofExcluded(summary));
        int begun = summary.excluded().size()
                + summary.points().stream()
                        .mapToInt(point -> point.runs().size())
                        .sum();
        int planned =
                summary.planned().counts().values().stream().mapToInt(n -> n).sum();
        if (begun < planned) {
            notes.add("Not begun: " + Numbers.grouped(planned - begun) + " of " + Numbers.grouped(planned)
                    + " planned runs.");
        }
        if (summary.points().isEmpty()) {
            notes.add("No run is left for a table.");
        }
        return notes;
    }

    /**
     * Returns the warnings below the tables: damaged files, buffers that were not granted, and the marks of runs that
     * are not spoiled.
     *
     * @param namesRuns whether marks name each run; else at most three
     */
    static List<String> marks(Summary summary, boolean namesRuns) {
        List<String> marks = new ArrayList<>();
        summary.damage().forEach(damaged -> marks.add("! " + damaged.run() + ": " + damaged.sentence()));
        summary.points().stream()
                .flatMap(point -> point.pooled().require(MetricGroup.BUFFERS).entrySet().stream())
                .map(grant -> grant.getValue().remedy(grant.getKey()))
                .filter(Objects::nonNull)
                .distinct()
                .forEach(remedy -> marks.add("! " + remedy));
        marks.addAll(RunMarks.others(summary, namesRuns));
        return marks;
    }

    private static void addClock(PointRows rows, boolean hasBounds, List<String> notes) {
        if (hasBounds) {
            notes.add(
                    "Clock: the uncertainty of each median, mean and quantile of lag because of the two sides' clocks,"
                            + " the largest of the runs, and its basis.");
        }
        notes.add("A lag may be off by " + Numbers.CLOCK_RATE + " more: the rate of a clock may be off by "
                + ClockEffect.LARGEST_RATE_PPM + " ppm.");
        if (rows.any(point -> point.pooled().clock().boundNs() == null)) {
            notes.add("± unknown: the clocks are not known to agree. Such lags may be off by any amount.");
        }
        String accepted = rows.summary().points().stream()
                .flatMap(point -> point.pooled().clock().accepted().stream())
                .collect(Collectors.joining(", "));
        if (!accepted.isEmpty()) {
            notes.add("Accepted unsynchronized: the clock bound exceeded the experiment's limit when these runs began,"
                    + " but --accept-unsynchronized permitted them: " + accepted + ".");
        }
    }

    private static void addSharedStamps(PointRows rows, List<String> notes) {
        String batches = rows.summary().points().stream()
                .filter(point -> point.pooled().require(MetricGroup.PACKETS_PER_CALL) > 1)
                .map(point ->
                        rows.name(point) + " (up to " + point.pooled().require(MetricGroup.PACKETS_PER_CALL) + ")")
                .collect(Collectors.joining("; "));
        if (!batches.isEmpty()) {
            notes.add("Packets moved by one system call share its stamps: " + batches + ".");
        }
    }

    private static void addCorrected(Summary summary, List<String> notes) {
        List<RunSummary> runs = summary.points().stream()
                .flatMap(point -> point.runs().stream())
                .toList();
        List<String> oneClock = new ArrayList<>();
        List<String> withoutStamps = new ArrayList<>();
        for (RunSummary run : runs) {
            if (run.metrics().require(MetricGroup.CORRECTED).isEmpty()) {
                boolean isOneClock = run.metrics().clock().bases().equals(Set.of(ClockBound.Basis.SAME_KERNEL));
                (isOneClock ? oneClock : withoutStamps).add(run.name());
            }
        }
        if (oneClock.size() + withoutStamps.size() < runs.size()) {
            notes.add("Lag: raw, as stamped; \"two-way\", without the clocks' offset and skew by least squares through"
                    + " the two-way stamps of the control connection; \"hull\", without those by the convex hulls of"
                    + " all one-way stamps (Moon, Skelly and Towsley 1999). Their ± includes all that the stamps cannot"
                    + " exclude, also an asymmetric path.");
        }
        if (runs.stream()
                .flatMap(run -> run.metrics().require(MetricGroup.CORRECTED).stream())
                .anyMatch(corrected -> corrected.estimator() == Estimator.CHRONY)) {
            notes.add("Lag \"chrony\": without the clocks' offset and skew as both hosts' chronyd measured them. Its ±"
                    + " is that of their measurements: root dispersion and half the root delay.");
        }
        if (!oneClock.isEmpty()) {
            notes.add(
                    oneClock.size() == runs.size()
                            ? "Nothing to correct: both sides of every run shared one kernel and its clock."
                            : "Nothing to correct, because both sides shared one kernel and its clock: "
                                    + String.join(", ", oneClock)
                                    + ".");
        }
        if (!withoutStamps.isEmpty()) {
            notes.add("Not corrected because of missing two-way stamps, as are the points with these runs: "
                    + String.join(", ", withoutStamps) + ".");
        }
    }

    /** Adds what observation added to each point that was observed in windows. */
    private static void addPrices(PointRows rows, List<String> notes) {
        for (PointSummary point : rows.summary().points()) {
            ObservationPrice price = point.pooled().get(CauseGroups.PRICE);
            if (price != null && Double.isNaN(price.lagUs().low())) {
                notes.add("What observing adds to a lag of " + rows.name(point) + " is not known: only "
                        + price.blocks() + (price.blocks() == 1 ? " pair" : " pairs")
                        + " of windows had enough packets.");
            } else if (price != null) {
                notes.add("Observing added "
                        + added(2, " µs", 1, price.lagUs())
                        + " to a lag of "
                        + rows.name(point) + ", and "
                        + added(1, " %", Units.PERCENT, price.cpu())
                        + " to the CPU time of its packet threads, by " + price.blocks()
                        + " pairs of windows after the packets of this table, which were not observed.");
            }
        }
    }

    private static String added(int decimals, String unit, double factor, ObservationPrice.Added added) {
        return Numbers.fixed(decimals, added.value() * factor)
                + unit + " (" + Numbers.fixed(decimals, added.low() * factor) + " to "
                + Numbers.fixed(decimals, added.high() * factor) + ")";
    }

    private static String negativeLags(PointRows rows, PointSummary point) {
        ClockEffect clock = point.pooled().clock();
        Long beyond = clock.negativeBeyondBound();
        String explanation = beyond == null
                ? "A possible reason is that the clocks are not known to agree."
                : beyond == 0
                        ? "The clocks explain it: a lag is known to " + Numbers.clockBound(clock) + "."
                        : "Lags are known to " + Numbers.clockBound(clock) + ", but " + Numbers.grouped(beyond)
                                + " of them arrived earlier than that allows: see the mark.";
        return "Negative lags of " + rows.name(point) + ": "
                + Numbers.grouped(point.pooled().packets().negativeLags())
                + ". According to the clocks, these packets arrived before they were sent. All figures include them. "
                + explanation;
    }

    /**
     * Returns notes on emulated networks: their settings, where they lost packets, and whether floods filled them; none
     * for runs over the machines' own network.
     */
    private static List<String> ofNetworks(PointRows rows) {
        Set<String> networks = new LinkedHashSet<>();
        List<String> notes = new ArrayList<>();
        List<LabRecord> all = new ArrayList<>();
        for (PointSummary point : rows.summary().points()) {
            List<LabRecord> labs = Warnings.labs(point);
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
    static String dropped(List<LabRecord> labs) {
        Map<String, Long> dropped = new TreeMap<>();
        for (LabRecord lab : labs) {
            for (LabRecord.Station station : lab.stations()) {
                long drops = station.counts().getOrDefault("drops", 0L);
                long lost = Stream.of("missed", "lost", "lostInBursts", "queueFull", "refused")
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
    private static boolean hasFlowControl(MeasuredPoint point) {
        return Transports.load()
                .find(point.transport())
                .map(transport -> transport.wire().isStream())
                .orElse(true);
    }

    /** Returns the packet rate and the capacity if a flood without flow control did not fill the link. */
    private static @Nullable String unfilled(MeasuredPoint point, Metrics metrics, LabRecord lab) {
        double sent = metrics.require(MetricGroup.RATES).sent().packetsPerS();
        Double capacity = lab.capacityPacketsPerS();
        if (hasFlowControl(point) || !point.isFlood() || capacity == null || Double.isNaN(sent)) {
            return null;
        }
        return sent >= FILLED * capacity
                ? null
                : Numbers.grouped(0, sent) + " packets/s were sent over a link with a capacity of "
                        + Numbers.grouped(0, capacity)
                        + ". The CPU, or other load of this machine, limited the sender, not the link.";
    }
}
