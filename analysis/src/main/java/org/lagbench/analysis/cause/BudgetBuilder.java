package org.lagbench.analysis.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.lagbench.analysis.cause.Budget.Part;
import org.lagbench.core.cause.Cause;

/**
 * Divides the excess of one packet's lag. Each moment of the excess gets at most one cause: the first that takes it.
 * Moments are in ns since the beginning of the excess: at the sender that is the packet's departure, at the receiver
 * the time when the packet was due with the median lag.
 */
final class BudgetBuilder {
    private final long packet;
    private final long lagNs;
    private final long medianNs;
    private final List<Part> parts = new ArrayList<>();

    /** What no cause has taken: pairs of beginning and end, ascending. */
    private List<long[]> free = new ArrayList<>();

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

    /**
     * Attributes to each span of a side what it covers. Before moment 0, spans are of the median lag; what they exceed
     * it by follows.
     *
     * @param originNs the time of moment 0 by the clock of that side
     * @param from the first moment that spans can delay the packet; may be negative
     * @param isProcessOnly whether only causes that stop the whole process count
     */
    void takeSpans(RunSide side, EventTimeline events, long originNs, long from, long to, boolean isProcessOnly) {
        int end = events.countBefore(originNs + to);
        int first = end;
        while (first > 0 && events.ofProcess().get(first - 1).endNs() > originNs + from) {
            first--;
        }
        for (CauseSpan span : events.ofProcess().subList(first, end)) {
            if (!isProcessOnly || span.cause().isOfProcess()) {
                long coveredNs = span.overlapNs(originNs + from, originNs + to);
                long begin = Math.max(Math.max(0, from), span.startNs() - originNs);
                long until = Math.max(begin + coveredNs, Math.min(to, span.endNs() - originNs));
                take(new SideCause(side, span.cause(), span.program()), begin, until, coveredNs);
            }
        }
    }

    /**
     * Attributes a queue to the earlier events that made it, the latest first, and the rest to another cause.
     *
     * @param originNs the time of moment 0 by the clock of that side
     * @param sinceNs when the first packet of the queue was due there
     * @param atMostNs limits the attributed time
     */
    void takeQueue(
            RunSide side,
            EventTimeline events,
            long originNs,
            long sinceNs,
            long from,
            long to,
            long atMostNs,
            Cause otherwise) {
        long left = Math.min(atMostNs, Math.max(0, to - from));
        for (int i = events.countBefore(originNs) - 1; i >= 0 && left > 0; i--) {
            CauseSpan span = events.ofProcess().get(i);
            if (span.endNs() <= sinceNs) {
                break;
            }
            long madeNs = Math.min(left, span.overlapNs(sinceNs, originNs));
            left -= take(new SideCause(side, span.cause(), span.program()), from, to, madeNs);
        }
        take(new SideCause(side, otherwise, null), from, to, left);
    }

    /**
     * Attributes what is still free to the receiver's sleeps, as far as its record has them.
     *
     * @param originNs the time of moment 0 by the receiver's clock
     */
    void takeSleeps(EventTimeline receiver, long originNs, long to) {
        List<CauseSpan> sleeps = receiver.spans(Cause.WIRE_OR_WAKE_UP);
        int last = EventTimeline.countBefore(sleeps, originNs + to) - 1;
        for (int i = last; i >= 0 && sleeps.get(i).endNs() > originNs; i--) {
            CauseSpan sleep = sleeps.get(i);
            take(
                    new SideCause(RunSide.RECEIVER, sleep.cause(), null),
                    sleep.startNs() - originNs,
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
