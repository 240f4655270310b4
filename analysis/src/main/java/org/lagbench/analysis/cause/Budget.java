package org.lagbench.analysis.cause;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Attribution.TailScan;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.core.failure.LagbenchException;

/**
 * What the lag of a slow packet consists of, besides the median of its run.
 *
 * @param packet the packet's number, from 0
 * @param lagNs its lag, in ns
 * @param medianNs the median lag of its run, in ns
 * @param parts the parts in the order of time; with the unexplained ones they add up to lag − median
 */
public record Budget(long packet, long lagNs, long medianNs, List<Part> parts) {
    /**
     * A part of a delay.
     *
     * @param cause null if unexplained
     * @param sinceNs when it began, in ns: at the sender since the packet's departure, at the receiver since the packet
     *     was due with the median lag
     * @param ns how much it delayed the packet, in ns
     */
    public record Part(@Nullable SideCause cause, long sinceNs, long ns) {}

    /**
     * Returns the budgets of the packets of a run with the largest transmit lag, the largest first.
     *
     * @param directory the run's directory
     * @param count how many at most
     * @return none if a side did not record causes, or if no packet is above Q99
     */
    public static List<Budget> slowest(Path directory, JoinedRun run, int count) throws LagbenchException {
        PriorityQueue<Budget> slowest = new PriorityQueue<>(Comparator.comparingLong(Budget::lagNs));
        TailScan scan = scan(directory, run);
        for (long i = 0; scan != null && i < run.received(); i++) {
            if (scan.advance(i)) {
                slowest.add(scan.budget());
                if (slowest.size() > count) {
                    slowest.remove();
                }
            }
        }
        return slowest.stream()
                .sorted(Comparator.comparingLong(Budget::lagNs).reversed())
                .toList();
    }

    /** Returns a scan of the transmit lag with the default tail; null if a side did not record causes. */
    static @Nullable TailScan scan(Path directory, JoinedRun run) throws LagbenchException {
        RunCauses causes = run.received() == 0 ? null : RunCauses.open(directory, run, Tail.DEFAULT);
        return causes == null ? null : causes.attribution(Series.TRANSMIT_LAG).scan();
    }

    /** Returns the parts for readers, the largest first: "Run queue: cc1 at the receiver 28 µs, unexplained 2 µs". */
    public String text() {
        List<String> texts = new ArrayList<>();
        byCause().entrySet().stream()
                .sorted(Map.Entry.<SideCause, Long>comparingByValue().reversed())
                .forEach(sum -> texts.add(
                        sum.getKey().title() + " at the " + sum.getKey().side().text() + " " + us(sum.getValue())));
        if (unexplainedNs() > 0) {
            texts.add(cause() == null ? 0 : texts.size(), "unexplained " + us(unexplainedNs()));
        }
        return String.join(", ", texts);
    }

    private static String us(long ns) {
        return BigDecimal.valueOf(ns, 3).setScale(ns < 10_000 ? 1 : 0, RoundingMode.HALF_EVEN) + " µs";
    }

    /** Returns by how much the lag exceeds the median, in ns: the sum of all parts. */
    public long excessNs() {
        return lagNs - medianNs;
    }

    /** Returns the sum of the parts of each cause, in ns. */
    public Map<SideCause, Long> byCause() {
        Map<SideCause, Long> sums = new TreeMap<>();
        for (Part part : parts) {
            if (part.cause() != null) {
                sums.merge(part.cause(), part.ns(), Long::sum);
            }
        }
        return sums;
    }

    /** Returns the unexplained rest, in ns. */
    public long unexplainedNs() {
        return parts.stream()
                .filter(part -> part.cause() == null)
                .mapToLong(Part::ns)
                .sum();
    }

    /** Returns the cause with the largest sum; null if more than that is unexplained. */
    public @Nullable SideCause cause() {
        SideCause largest = null;
        long largestNs = unexplainedNs();
        for (Map.Entry<SideCause, Long> sum : byCause().entrySet()) {
            if (sum.getValue() > largestNs || (largest == null && sum.getValue() == largestNs)) {
                largest = sum.getKey();
                largestNs = sum.getValue();
            }
        }
        return largest;
    }
}
