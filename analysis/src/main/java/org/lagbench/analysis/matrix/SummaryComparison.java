package org.lagbench.analysis.matrix;

/**
 * The test of RFC 8382 for two flows: the share of windows in which both are congested, and the share of the congested
 * windows in which their statistics are similar. It is less certain than {@link DelayCorrelation}, because flows with
 * the same load at separate bottlenecks have similar statistics.
 *
 * @param windows the number of windows; 0 if the streams are shorter than a window
 * @param congested the share of windows in which both flows are congested
 * @param similar the share of the congested windows in which the flows are similar; NaN if no window is congested
 */
public record SummaryComparison(int windows, double congested, double similar) {
    private static final int STEP = 5;

    /** Returns the verdict of the majority of the congested windows; UNCERTAIN if few windows are congested. */
    public Sharing sharing() {
        return congested < 0.5 ? Sharing.UNCERTAIN : similar >= 0.5 ? Sharing.SHARED : Sharing.APART;
    }

    /** Compares two streams sent at the same time. */
    public static SummaryComparison of(DelayStream first, DelayStream second) {
        long from = Math.max(first.sentNs(0), second.sentNs(0));
        long until = Math.min(first.sentNs(first.packets() - 1), second.sentNs(second.packets() - 1));
        int windows = 0;
        int congested = 0;
        int similar = 0;
        boolean firstBefore = false;
        boolean secondBefore = false;
        long length = FlowSummary.INTERVALS * FlowSummary.INTERVAL_NS;
        for (long start = from; start + length <= until; start += STEP * FlowSummary.INTERVAL_NS) {
            FlowSummary one = FlowSummary.of(first, start);
            FlowSummary other = FlowSummary.of(second, start);
            firstBefore = one.isCongested(firstBefore);
            secondBefore = other.isCongested(secondBefore);
            windows++;
            if (firstBefore && secondBefore) {
                congested++;
                similar += one.isSimilar(other) ? 1 : 0;
            }
        }
        return new SummaryComparison(
                windows, windows == 0 ? 0 : (double) congested / windows, (double) similar / congested);
    }
}
