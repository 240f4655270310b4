package org.lagbench.core.bandwidth;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.bandwidth.CounterSource.CounterReading;
import org.lagbench.core.text.Units;

/**
 * The available bandwidth of a link, from readings of its counters: the link's rate minus the average rate of the
 * traffic over a history period, as Remos computed it for Hu (2003). The traffic of the measuring program is not
 * counted. An agent may refresh its counters rarely: a reading equal to the previous one is used only if the counters
 * remain equal for longer than the refresh interval. The link is then idle. Not thread-safe.
 */
public final class CounterHistory {
    /** The value while there is no estimate yet. */
    public static final double UNKNOWN = -1;

    /** Growth at this multiple of the link's rate is not traffic: a 32-bit counter that was reset seems to wrap. */
    private static final double IMPOSSIBLE = 2;

    private final long rateBitsPerS;
    private final int overheadBytes;
    private final long periodNs;
    private final long staleNs;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private @Nullable CounterReading last;
    private long changedNs;
    private double lastOwnBytes;
    private double otherBytes;
    private double lastBitsPerS = UNKNOWN;
    private long taken;

    /**
     * @param bytes bytes of other traffic on the link since the first sample, framing included
     * @param isIdle whether the reading was equal to the previous one
     */
    private record Sample(long atNs, double bytes, boolean isIdle) {}

    /**
     * @param periodNs the history period
     * @param staleNs how long readings may remain equal although the counters have changed
     */
    public CounterHistory(Bottleneck bottleneck, long periodNs, long staleNs) {
        this.rateBitsPerS = bottleneck.rateBitsPerS();
        this.overheadBytes = bottleneck.overheadBytes();
        this.periodNs = periodNs;
        this.staleNs = staleNs;
    }

    /**
     * Adds a reading.
     *
     * @param atNs time of the reading
     * @param ownBytes bytes that this program had sent over the link at that time, framing included
     */
    public void add(long atNs, CounterReading reading, double ownBytes) {
        CounterReading before = last;
        if (before == null || before.bits() != reading.bits()) {
            begin(atNs, reading, ownBytes);
            if (staleNs == 0) {
                samples.add(new Sample(atNs, otherBytes, false));
            }
            return;
        }
        long octets = CounterReading.growth(before.octets(), reading.octets(), reading.bits());
        long packets = CounterReading.growth(before.packets(), reading.packets(), reading.bits());
        if (octets < 0 || packets < 0 || isImpossible(octets, atNs)) { // the counters were reset
            samples.clear();
            begin(atNs, reading, ownBytes);
            return;
        }
        boolean isChanged = octets > 0 || packets > 0;
        if (!isChanged && atNs - changedNs < staleNs) {
            return;
        }
        otherBytes += octets + (double) overheadBytes * packets - (ownBytes - lastOwnBytes);
        begin(atNs, reading, ownBytes);
        if (isChanged) {
            removeStale(atNs);
        } else {
            changedNs = atNs - staleNs; // the link is idle: the next equal reading is also a sample
        }
        Sample sample = new Sample(atNs, otherBytes, !isChanged);
        Sample former = samples.peekLast();
        if (former != null) {
            lastBitsPerS = between(former, sample);
        }
        samples.add(sample);
        taken++;
        drop(atNs);
    }

    /**
     * Removes the latest samples of an idle link: the counters may have changed before them. They had not changed
     * {@link #staleNs} before the last of them.
     */
    private void removeStale(long atNs) {
        Sample removed = null;
        for (Sample latest = samples.peekLast();
                latest != null && latest.isIdle() && atNs - latest.atNs() < staleNs;
                latest = samples.peekLast()) {
            removed = samples.removeLast();
        }
        if (removed != null && samples.isEmpty()) {
            samples.add(new Sample(atNs - staleNs, removed.bytes(), true));
        }
    }

    /** Returns whether the link cannot carry so much, even if the counters were already stale at the last change. */
    private boolean isImpossible(long octets, long atNs) {
        double seconds = (double) (atNs - changedNs + staleNs) / Units.NS_PER_S;
        return Units.BITS_PER_BYTE * (double) octets > IMPOSSIBLE * (double) rateBitsPerS * seconds;
    }

    private void begin(long atNs, CounterReading reading, double ownBytes) {
        last = reading;
        lastOwnBytes = ownBytes;
        changedNs = atNs;
    }

    /** Drops the samples before the history period, except the last of them, at which the period begins. */
    private void drop(long atNs) {
        while (samples.size() > 2) {
            Iterator<Sample> oldest = samples.iterator();
            oldest.next();
            if (atNs - oldest.next().atNs() < periodNs) {
                return;
            }
            samples.removeFirst();
        }
    }

    /** Returns the available bandwidth in bits per second, framing included; {@link #UNKNOWN} at first. */
    public double availableBitsPerS() {
        if (samples.size() < 2) {
            return UNKNOWN;
        }
        return between(samples.getFirst(), samples.getLast());
    }

    private double between(Sample first, Sample latest) {
        double usedBitsPerS = Units.BITS_PER_BYTE
                * Units.NS_PER_S
                * (latest.bytes() - first.bytes())
                / Math.max(1, latest.atNs() - first.atNs());
        return Math.max(0, Math.min((double) rateBitsPerS, rateBitsPerS - usedBitsPerS));
    }

    /** Returns the number of samples: readings that differ from the previous one, or readings of an idle link. */
    public long samples() {
        return taken;
    }

    /** Returns the available bandwidth between the last two samples; {@link #UNKNOWN} at first. */
    public double lastBitsPerS() {
        return lastBitsPerS;
    }
}
