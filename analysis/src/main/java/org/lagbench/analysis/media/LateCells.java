package org.lagbench.analysis.media;

import java.util.Arrays;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * Counts late and lost packets in cells of consecutive packets sent, of all runs concatenated. Every packet counts as
 * late until it is found to be in time, so that the order of arrival does not matter.
 */
final class LateCells {
    private final long packets;
    private final int cells;

    LateCells(long packets) {
        this.packets = packets;
        this.cells = (int) Math.min(packets, BlockBootstrap.CELLS);
    }

    /** Returns how many packets so many cells contain together. */
    long packetsOf(int count) {
        return Math.round(count * (packets / (double) cells));
    }

    /**
     * Counts the late packets of each cell, for each limit.
     *
     * @param leastLagsNs the lag of each run, in ns, that delays are relative to
     * @param limitsNs the delays, in ns, above which packets are late
     */
    int[][] count(List<JoinedRun> runs, long[] leastLagsNs, long[] limitsNs) throws LagbenchException {
        int[][] late = new int[limitsNs.length][cells];
        for (int[] counts : late) {
            Arrays.setAll(counts, cell -> (int) (first(cell + 1) - first(cell)));
        }
        long before = 0;
        for (int r = 0; r < leastLagsNs.length; r++) {
            JoinedRun run = runs.get(r);
            long leastLagNs = leastLagsNs[r];
            long firstPacket = before;
            run.forEachFirstCopy((arrival, packet) -> {
                long delayNs = run.receivedNs(arrival) - run.sentNs(packet) - leastLagNs;
                int cell = (int) ((firstPacket + packet) * cells / packets);
                for (int limit = 0; limit < limitsNs.length; limit++) {
                    late[limit][cell] -= delayNs <= limitsNs[limit] ? 1 : 0;
                }
            });
            before += run.sent();
        }
        return late;
    }

    private long first(int cell) {
        return (cell * packets + cells - 1) / cells;
    }
}
