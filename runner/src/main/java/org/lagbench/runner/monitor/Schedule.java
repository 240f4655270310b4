package org.lagbench.runner.monitor;

/**
 * When probes are due. Each round begins a multiple of its length after the start, so that no delay accumulates. The
 * turns of a round divide it into equal parts; the probes of one turn follow each other.
 *
 * @param startNs the beginning of round 0, in ns since the epoch
 * @param everyNs length of a round in ns
 * @param jitterNs maximum random delay of each turn, in ns; shorter than a turn
 * @param turns number of turns in a round
 */
public record Schedule(long startNs, long everyNs, long jitterNs, int turns) {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    public Schedule {
        if (turns < 1 || everyNs < turns || jitterNs < 0 || jitterNs > everyNs / turns) {
            throw new IllegalArgumentException(
                    turns + " turns in " + everyNs + " ns with a jitter of " + jitterNs + " ns");
        }
    }

    /** Returns when a turn is due, in ns since the epoch; always the same for the same turn. */
    public long dueNs(long round, int turn) {
        return turnNs(round, turn) + jitterNs(round * turns + turn);
    }

    /** Returns the time from which on a turn is missed, in ns since the epoch: the beginning of the next turn. */
    public long endNs(long round, int turn) {
        return turnNs(round, turn + 1);
    }

    /** Returns the round in which a time is; negative before the start. */
    public long roundAt(long atNs) {
        return Math.floorDiv(atNs - startNs, everyNs);
    }

    /**
     * Returns which probe of a turn is at a position. The first probe of a round is the last of the next round, so that
     * each is equally often before and after the others.
     */
    public static int probeAt(long round, int place, int probes) {
        return (int) Math.floorMod(round + place, (long) probes);
    }

    private long turnNs(long round, int turn) {
        return startNs + round * everyNs + everyNs / turns * turn + everyNs % turns * turn / turns;
    }

    private long jitterNs(long index) {
        if (jitterNs == 0) {
            return 0;
        }
        long mixed = startNs + (index + 1) * GAMMA; // SplitMix64
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return Math.floorMod(mixed ^ (mixed >>> 31), jitterNs);
    }
}
