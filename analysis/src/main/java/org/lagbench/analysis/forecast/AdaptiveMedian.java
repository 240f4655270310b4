package org.lagbench.analysis.forecast;

/**
 * A median whose window adapts (Wolski 1998). When a value arrives, the medians of the window before it, and of windows
 * one step shorter and longer, are compared with it. The window whose median was nearest is used from now on; of
 * equals, the current one, then the shorter. Windows stay between the least and the greatest size.
 */
final class AdaptiveMedian {
    private final RecentValues recent;
    private final int least;
    private final int greatest;
    private final int step;
    private SortedWindow shorter;
    private SortedWindow present;
    private SortedWindow longer;
    private int window;

    AdaptiveMedian(RecentValues recent, int least, int greatest, int start, int step) {
        this.recent = recent;
        this.least = least;
        this.greatest = greatest;
        this.step = step;
        this.window = start;
        shorter = new SortedWindow(recent, Math.max(least, start - step), greatest);
        present = new SortedWindow(recent, start, greatest);
        longer = new SortedWindow(recent, Math.min(greatest, start + step), greatest);
    }

    /** Adapts the window to a value that is not yet in the series. */
    void adapt(double value) {
        if (recent.size() == 0) {
            return;
        }
        double ofPresent = Math.abs(value - present.median());
        double ofShorter = Math.abs(value - shorter.median());
        double ofLonger = Math.abs(value - longer.median());
        if (ofShorter < ofPresent && ofShorter <= ofLonger) {
            SortedWindow free = longer;
            longer = present;
            present = shorter;
            shorter = free;
            shorter.copy(present);
            resize(Math.max(least, window - step));
        } else if (ofLonger < ofPresent) {
            SortedWindow free = shorter;
            shorter = present;
            present = longer;
            longer = free;
            longer.copy(present);
            resize(Math.min(greatest, window + step));
        }
    }

    private void resize(int size) {
        window = size;
        shorter.resize(Math.max(least, size - step));
        present.resize(size);
        longer.resize(Math.min(greatest, size + step));
    }

    /** Moves the windows to the newest value of the series. */
    void slide() {
        shorter.slide();
        present.slide();
        longer.slide();
    }

    double median() {
        return present.median();
    }
}
