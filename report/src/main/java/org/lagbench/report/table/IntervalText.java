package org.lagbench.report.table;

import org.lagbench.analysis.summary.LiveInterval;

/** The figures of a second of a run, as a line of text. */
public final class IntervalText {
    private static final String SAMPLED = "≈ ";

    private IntervalText() {}

    /** Returns a line such as "3.0 s lag 14.2 µs, Q99 51.3 µs lost 0 received 8,000/s … sent 8,000/s …". */
    public static String of(LiveInterval interval, int packetBytes) {
        String sampled = interval.sampled() ? SAMPLED : "";
        long lost = interval.received().lost();
        long expected = interval.received().expected();
        long late = interval.received().late();
        return Numbers.fixed(1, interval.endedS()) + " s  lag " + sampled + Numbers.duration(interval.medianNs())
                + ", Q99 " + sampled + Numbers.duration(interval.q99Ns())
                + "  lost " + Numbers.grouped(lost)
                + (lost == 0 ? "" : " (" + Numbers.percent(lost / (double) expected) + " %)")
                + (late == 0 ? "" : ", late " + Numbers.grouped(late))
                + "  received " + rate(interval.receivedPerS(), packetBytes)
                + "  sent " + rate(interval.sentPerS(), packetBytes);
    }

    private static String rate(double packetsPerS, int packetBytes) {
        return Double.isNaN(packetsPerS)
                ? "–"
                : Numbers.grouped(Math.round(packetsPerS)) + "/s "
                        + Numbers.fixed(1, LiveInterval.mbitPerS(packetsPerS, packetBytes)) + " Mbit/s";
    }
}
