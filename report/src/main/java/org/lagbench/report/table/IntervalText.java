package org.lagbench.report.table;

import java.util.List;
import org.lagbench.analysis.summary.LiveInterval;
import org.lagbench.core.run.Point;

/** The figures of a second of a run, as a line of text. */
public final class IntervalText {
    private static final String SAMPLED = "≈ ";

    private IntervalText() {}

    /** Returns a line such as "3.0 s lag 14.2 µs, Q99 51.3 µs lost 0 received 8,000/s … sent 8,000/s …". */
    public static String of(LiveInterval interval, Point point) {
        return of(interval, point, Integer.MAX_VALUE);
    }

    /** Returns the line of {@link #of(LiveInterval, Point)} without the figures at its end that exceed a width. */
    public static String of(LiveInterval interval, Point point, int columns) {
        String ended = Numbers.fixed(1, interval.endedS()) + " s";
        if (interval.isFinishing(point.packets())) {
            return ended + "  finishing";
        }
        String sampled = interval.sampled() ? SAMPLED : "";
        long lost = interval.received().lost();
        long expected = interval.received().expected();
        long late = interval.received().late();
        StringBuilder line = new StringBuilder(ended);
        for (String part : List.of(
                "  lag " + sampled + Numbers.duration(interval.medianNs()),
                ", Q99 " + sampled + Numbers.duration(interval.q99Ns()),
                "  lost " + Numbers.grouped(lost)
                        + (lost == 0 ? "" : " (" + Numbers.percent(lost / (double) expected) + " %)"),
                late == 0 ? "" : ", late " + Numbers.grouped(late),
                "  received " + perS(interval.receivedPerS()),
                mbitPerS(interval.receivedPerS(), point),
                "  sent " + perS(interval.sentPerS()),
                mbitPerS(interval.sentPerS(), point))) {
            if (line.length() + part.length() > columns) {
                break;
            }
            line.append(part);
        }
        return line.toString();
    }

    private static String perS(double packetsPerS) {
        return Double.isNaN(packetsPerS) ? "–" : Numbers.grouped(Math.round(packetsPerS)) + "/s";
    }

    private static String mbitPerS(double packetsPerS, Point point) {
        return Double.isNaN(packetsPerS)
                ? ""
                : " " + Numbers.fixed(1, LiveInterval.mbitPerS(packetsPerS, point.packetBytes())) + " Mbit/s";
    }
}
