package org.lagbench.core.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** One clock told by another, by moments at which both were read: a straight line between two of them, flat beyond. */
final class AnchoredTime {
    private final List<Anchor> anchors = new ArrayList<>();

    /**
     * Adds a moment.
     *
     * @param clockNs what the clock to be corrected read
     * @param realtimeNs what CLOCK_REALTIME read
     * @param errorNs ± how far the two may have been apart
     */
    void add(long clockNs, long realtimeNs, long errorNs) {
        anchors.add(new Anchor(clockNs, realtimeNs - clockNs, errorNs));
    }

    /** To be called after the last was added. */
    void sort() {
        anchors.sort(Comparator.comparingLong(Anchor::clockNs));
    }

    /** What CLOCK_REALTIME read when the clock read that. Without an anchor the same. */
    long realtimeNs(long clockNs) {
        int after = 0;
        while (after < anchors.size() && anchors.get(after).clockNs <= clockNs) {
            after++;
        }
        if (anchors.isEmpty()) {
            return clockNs;
        }
        if (after == 0 || after == anchors.size()) {
            return clockNs + anchors.get(Math.max(0, after - 1)).offsetNs;
        }
        Anchor left = anchors.get(after - 1);
        Anchor right = anchors.get(after);
        double fraction = (double) (clockNs - left.clockNs) / (double) (right.clockNs - left.clockNs);
        return clockNs + left.offsetNs + Math.round(fraction * (double) (right.offsetNs - left.offsetNs));
    }

    /** How far the clock was from CLOCK_REALTIME at most, in ns. */
    long greatestOffsetNs() {
        return anchors.stream()
                .mapToLong(anchor -> Math.abs(anchor.offsetNs))
                .max()
                .orElse(0);
    }

    /**
     * ± how far a corrected time may be off, in ns: the worst reading, and the most that the offset changed between two
     * anchors.
     */
    long uncertaintyNs() {
        long error = 0;
        for (int i = 0; i < anchors.size(); i++) {
            long change = i == 0 ? 0 : Math.abs(anchors.get(i).offsetNs - anchors.get(i - 1).offsetNs);
            error = Math.max(error, anchors.get(i).errorNs + change);
        }
        return error;
    }

    /** How many moments there are. */
    int size() {
        return anchors.size();
    }

    /** The earliest moment by the clock to be corrected, in ns; there must be one. */
    long firstNs() {
        return anchors.get(0).clockNs;
    }

    private record Anchor(long clockNs, long offsetNs, long errorNs) {}
}
