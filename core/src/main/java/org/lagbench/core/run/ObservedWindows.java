package org.lagbench.core.run;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The windows of a run that is observed in windows. Their packets follow those that were asked for, with the next
 * sequence numbers: first one window in which both sides load their observers, then blocks of two windows in random
 * order, one with the observer and one without.
 *
 * <p>Both sides and readers of the captures compute them from the point, so what {@link #of} returns is part of the
 * formats of messages and of {@code run.json}.
 *
 * @param first the first packet after those that were asked for
 * @param blocks the number of blocks
 * @param windowPackets the number of packets in a window
 */
public record ObservedWindows(long first, int blocks, long windowPackets) {
    /** The key of the sender's metadata with the seed of their order. */
    public static final String SEED = "windowsSeed";

    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** With fewer blocks, the price has no interval. */
    private static final int MIN_BLOCKS = 6;

    private static final int MAX_BLOCKS = 30;

    /** The minimum number of packets in a window. */
    private static final int MIN_PACKETS = 50;

    /** The windows take at most this part of the time of the other packets. */
    private static final int PART_OF_RUN = 2;

    /**
     * Returns the windows of a run that both sides observe automatically. They have no blocks if the run is too short,
     * has no pace, or its packets are answered.
     */
    public static ObservedWindows of(Point point) {
        Pace pace = point.pace();
        boolean canHave = point.observes(ObservedSource.AUTO)
                && point.traffic().kind() == Traffic.ONE_WAY
                && pace.mode() != Pace.Mode.FLOOD
                && pace.intervalNs() * MIN_PACKETS <= WINDOW_NS;
        if (!canHave) {
            return new ObservedWindows(point.packets(), 0, 0);
        }
        long windows = pace.durationNs(point.packets()) / PART_OF_RUN / WINDOW_NS - 1;
        int blocks = (int) Math.min(MAX_BLOCKS, windows / 2);
        return new ObservedWindows(point.packets(), blocks < MIN_BLOCKS ? 0 : blocks, pace.packetsIn(WINDOW_NS));
    }

    /**
     * Returns the seed of the order of the windows, the same on both sides. It is recorded, so it does not follow from
     * the run's tag, which is secret.
     *
     * @param nonce the one in the offer of the run
     */
    public static long seed(String nonce) {
        return nonce.hashCode();
    }

    /** Returns the number of windows with and without the observer. */
    public int count() {
        return 2 * blocks;
    }

    /** Returns the number of packets in all windows. */
    public long packets() {
        return blocks == 0 ? 0 : (1 + count()) * windowPackets;
    }

    /** Returns the first packet of a window; of that after the last one, the number of all packets. */
    public long firstPacket(int window) {
        return first + (1 + window) * windowPackets;
    }

    /**
     * Returns in which windows the observer is attached.
     *
     * @param seed of the order of the windows in each block
     */
    public boolean[] areObserved(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean[] observed = new boolean[count()];
        for (int block = 0; block < blocks; block++) {
            observed[2 * block + random.nextInt(2)] = true;
        }
        return observed;
    }
}
