package org.lagbench.analysis.cause;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Attribution.TailScan;
import org.lagbench.analysis.cause.EventTimeline.CauseSpan;
import org.lagbench.analysis.cause.SideCause.RunSide;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.ExitCode;
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

    /**
     * Returns the budget of one packet.
     *
     * @param name the run's name, for messages
     * @param directory the run's directory
     * @throws LagbenchException if causes were not recorded, or if the packet did not arrive or is not late
     */
    public static Budget of(String name, Path directory, long packet) throws LagbenchException {
        try (JoinedRun run = JoinedRun.open(directory)) {
            TailScan scan = scan(directory, run);
            if (scan == null) {
                throw ExitCode.USAGE.failure(name + ": causes were not recorded (observe: causes) by both sides.");
            }
            for (long i = 0; i < run.received(); i++) {
                scan.advance(i);
                if (run.packetOf(i) == packet && run.isFirstCopy(i)) {
                    Budget budget = scan.budget();
                    if (budget.excessNs() <= 0) {
                        throw ExitCode.USAGE.failure(
                                name + ": packet " + packet + " is not late: its lag is at most the median.");
                    }
                    return budget;
                }
            }
            boolean wasSent = packet >= 0 && packet < run.sent();
            throw ExitCode.USAGE.failure(
                    wasSent
                            ? name + ": packet " + packet + " did not arrive."
                            : name + ": there is no packet " + packet + "; the run sent packets 0 to "
                                    + (run.sent() - 1) + ".");
        }
    }

    /** Returns a scan of the transmit lag with the default tail; null if a side did not record causes. */
    static @Nullable TailScan scan(Path directory, JoinedRun run) throws LagbenchException {
        RunCauses causes = run.received() == 0 ? null : RunCauses.open(directory, run, Tail.DEFAULT);
        return causes == null ? null : causes.attribution(Series.TRANSMIT_LAG).scan();
    }

    /** Returns the parts as text, the largest first: "Run queue: cc1 at the receiver 28 µs, unexplained 2 µs". */
    public String text() {
        List<String> texts = new ArrayList<>();
        byCause().entrySet().stream()
                .sorted(Map.Entry.<SideCause, Long>comparingByValue().reversed())
                .forEach(sum -> texts.add(sum.getKey().title() + sum.getKey().place() + " " + us(sum.getValue())));
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

    /**
     * Divides the excess of one packet's lag. Each moment of the excess gets at most one cause: the first that takes
     * it. Moments are in ns since the beginning of the excess: at the sender that is the packet's departure, at the
     * receiver the time when the packet was due with the median lag.
     */
    static final class BudgetBuilder {
        private final long packet;
        private final long lagNs;
        private final long medianNs;
        private final List<Part> parts = new ArrayList<>();

        /** What no cause has taken: pairs of beginning and end, ascending. */
        private List<long[]> free = new ArrayList<>();

        /** What the pieces of an event have taken. */
        private final IdentityHashMap<CauseSpan, Long> takenNs = new IdentityHashMap<>();

        BudgetBuilder(long packet, long lagNs, long medianNs) {
            this.packet = packet;
            this.lagNs = lagNs;
            this.medianNs = medianNs;
            free.add(new long[] {0, lagNs - medianNs});
        }

        /** Attributes at most a given time between two moments to a cause, and returns how much was free. */
        long take(SideCause cause, long from, long to, long atMostNs) {
            long left = atMostNs;
            List<long[]> remaining = new ArrayList<>();
            for (long[] gap : free) {
                long begin = Math.max(gap[0], from);
                long end = Math.min(Math.min(gap[1], to), begin + Math.max(0, left));
                if (end <= begin) {
                    remaining.add(gap);
                    continue;
                }
                parts.add(new Part(cause, begin, end - begin));
                left -= end - begin;
                if (gap[0] < begin) {
                    remaining.add(new long[] {gap[0], begin});
                }
                if (end < gap[1]) {
                    remaining.add(new long[] {end, gap[1]});
                }
            }
            free = remaining;
            return atMostNs - left;
        }

        /** Attributes to a span at most what its event has left, and returns how much was free. */
        private long takePiece(RunSide side, CauseSpan span, long from, long to, long atMostNs) {
            SideCause cause = new SideCause(side, span.cause(), span.program());
            CauseSpan event = span.event();
            if (event == null) {
                return take(cause, from, to, atMostNs);
            }
            long leftNs = event.tookNs() - takenNs.getOrDefault(event, 0L);
            long tookNs = take(cause, from, to, Math.min(atMostNs, leftNs));
            takenNs.merge(event, tookNs, Long::sum);
            return tookNs;
        }

        /**
         * Attributes to each span of a side what it covers. Before moment 0, spans are of the median lag; what they
         * exceed it by follows.
         *
         * @param originNs the time of moment 0 by the clock of that side
         * @param from the first moment that spans can delay the packet; may be negative
         * @param first the first moment that they may take
         * @param isProcessOnly whether only causes that stop the whole process count
         */
        void takeSpans(
                RunSide side,
                EventTimeline events,
                long originNs,
                long from,
                long first,
                long to,
                boolean isProcessOnly) {
            int end = events.countBefore(originNs + to);
            int begun = end;
            while (begun > 0 && events.ofProcess().get(begun - 1).endNs() > originNs + from) {
                begun--;
            }
            for (CauseSpan span : events.ofProcess().subList(begun, end)) {
                if (!isProcessOnly || span.cause().isOfProcess()) {
                    long coveredNs = span.overlapNs(originNs + from, originNs + to);
                    long begin = Math.max(Math.max(first, from), span.startNs() - originNs);
                    long until = Math.max(begin + coveredNs, Math.min(to, span.endNs() - originNs));
                    takePiece(side, span, begin, until, coveredNs);
                }
            }
        }

        /**
         * Attributes a queue to the earlier events that made it, the latest first, and the rest to another cause.
         *
         * @param untilNs when the packet joined the queue, by the clock of that side
         * @param sinceNs when the first packet of the queue did
         * @param atMostNs limits the attributed time
         */
        void takeQueue(
                RunSide side,
                EventTimeline events,
                long untilNs,
                long sinceNs,
                long from,
                long to,
                long atMostNs,
                Cause otherwise) {
            long left = Math.min(atMostNs, Math.max(0, to - from));
            for (int i = events.countBefore(untilNs) - 1; i >= 0 && left > 0; i--) {
                CauseSpan span = events.ofProcess().get(i);
                if (span.endNs() <= sinceNs) {
                    break;
                }
                long madeNs = Math.min(left, span.overlapNs(sinceNs, untilNs));
                left -= takePiece(side, span, from, to, madeNs);
            }
            take(new SideCause(side, otherwise, null), from, to, left);
        }

        /**
         * Attributes what is still free to the receiver's sleeps, as far as its record has them.
         *
         * @param originNs the time of moment 0 by the receiver's clock
         * @param from the first moment that they may take
         */
        void takeSleeps(EventTimeline receiver, long originNs, long from, long to) {
            List<CauseSpan> sleeps = receiver.spans(Cause.WIRE_OR_WAKE_UP);
            int last = EventTimeline.countBefore(sleeps, originNs + to) - 1;
            for (int i = last; i >= 0 && sleeps.get(i).endNs() > originNs + from; i--) {
                CauseSpan sleep = sleeps.get(i);
                take(
                        new SideCause(RunSide.RECEIVER, sleep.cause(), null),
                        Math.max(from, sleep.startNs() - originNs),
                        sleep.endNs() - originNs,
                        sleep.tookNs());
            }
        }

        /** Returns the budget. What is still free is unexplained. */
        Budget build() {
            for (long[] gap : free) {
                if (gap[1] > gap[0]) {
                    parts.add(new Part(null, gap[0], gap[1] - gap[0]));
                }
            }
            parts.sort(Comparator.comparingLong(Part::sinceNs));
            return new Budget(packet, lagNs, medianNs, List.copyOf(parts));
        }
    }
}
