package org.lagbench.core.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Converts readings of one clock to another by moments at which both were read: linearly between two moments, with a
 * constant offset beyond them.
 */
final class AnchoredTime {
    private final List<Anchor> anchors = new ArrayList<>();

    /**
     * Adds a moment.
     *
     * @param clockNs reading of the clock to correct
     * @param realtimeNs reading of CLOCK_REALTIME
     * @param errorNs ± the uncertainty of the two readings' simultaneity
     */
    void add(long clockNs, long realtimeNs, long errorNs) {
        anchors.add(new Anchor(clockNs, realtimeNs - clockNs, errorNs));
    }

    /** Must be called after the last moment was added. */
    void sort() {
        anchors.sort(Comparator.comparingLong(Anchor::clockNs));
    }

    /** Returns the CLOCK_REALTIME of a reading of the clock; the reading itself without moments. */
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

    /** Returns the largest difference between the clock and CLOCK_REALTIME in ns. */
    long maxOffsetNs() {
        return anchors.stream()
                .mapToLong(anchor -> Math.abs(anchor.offsetNs))
                .max()
                .orElse(0);
    }

    /**
     * Returns ± the error of a converted time in ns. For each moment it is the moment's uncertainty plus the change of
     * the offset since the previous moment; the result is the largest of these.
     */
    long uncertaintyNs() {
        long error = 0;
        for (int i = 0; i < anchors.size(); i++) {
            long change = i == 0 ? 0 : Math.abs(anchors.get(i).offsetNs - anchors.get(i - 1).offsetNs);
            error = Math.max(error, anchors.get(i).errorNs + change);
        }
        return error;
    }

    int size() {
        return anchors.size();
    }

    /** Returns the earliest moment on the clock to correct, in ns; there must be one. */
    long firstNs() {
        return anchors.get(0).clockNs;
    }

    private record Anchor(long clockNs, long offsetNs, long errorNs) {}
}
