package org.lagbench.analysis.playout;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * How many packets of each stretch of the packets sent, the runs one after the other, are later than a delay or lost.
 * All count as late until they are found in time, so that the order of arrival does not matter.
 */
final class LateCells {
    private final long packets;
    private final int cells;

    LateCells(long packets) {
        this.packets = packets;
        this.cells = (int) Math.min(packets, BlockBootstrap.CELLS);
    }

    /** How many packets a number of cells has. */
    long packetsOf(int count) {
        return Math.round(count * (packets / (double) cells));
    }

    /**
     * For each limit the late packets of each cell.
     *
     * @param leastLagsNs what delays of each run are beyond, in ns
     * @param inTimeNs the delays, in ns, beyond which packets are late
     */
    int[][] count(List<JoinedRun> runs, long[] leastLagsNs, long[] inTimeNs) throws LagbenchException {
        int[][] late = new int[inTimeNs.length][cells];
        for (int cell = 0; cell < cells; cell++) {
            int size = (int) (first(cell + 1) - first(cell));
            for (int[] counts : late) {
                counts[cell] = size;
            }
        }
        long before = 0;
        for (int r = 0; r < leastLagsNs.length; r++) {
            JoinedRun run = runs.get(r);
            for (long i = 0; i < run.received(); i++) {
                if (run.isFirstCopy(i)) {
                    long packet = run.packetOf(i);
                    long delayNs = run.receivedNs(i) - run.sentNs(packet) - leastLagsNs[r];
                    int cell = cellOf(before + packet);
                    for (int limit = 0; limit < inTimeNs.length; limit++) {
                        late[limit][cell] -= delayNs <= inTimeNs[limit] ? 1 : 0;
                    }
                }
            }
            before += run.sent();
        }
        return late;
    }

    /** The first packet of a cell: the least that {@link #cellOf} gives it for. */
    private long first(int cell) {
        return (cell * packets + cells - 1) / cells;
    }

    private int cellOf(long packet) {
        return (int) (packet * cells / packets);
    }
}
