package org.lagbench.report.figure;

import java.util.stream.IntStream;
import org.lagbench.analysis.curve.Curve;
import org.lagbench.report.plot.Axis;
import org.lagbench.report.plot.Chart.Column;

/** The unit of times on a linear axis: the one in which they are neither tiny nor huge. */
enum TimeUnit {
    MICROSECONDS("µs", 1e3),
    MILLISECONDS("ms", 1e6),
    SECONDS("s", 1e9);

    private static final double UP_TO = 10_000;

    private final String symbol;
    private final double ns;

    TimeUnit(String symbol, double ns) {
        this.symbol = symbol;
        this.ns = ns;
    }

    /** For times up to that many ns. */
    static TimeUnit forUpTo(double ns) {
        for (TimeUnit unit : values()) {
            if (Math.abs(ns) <= UP_TO * unit.ns) {
                return unit;
            }
        }
        return SECONDS;
    }

    /** For a time axis of that many ns. */
    static TimeUnit ofDuration(double ns) {
        return ns >= SECONDS.ns ? SECONDS : MILLISECONDS;
    }

    String symbol() {
        return symbol;
    }

    double of(double ns) {
        return ns / this.ns;
    }

    /** A column of panels over that time, in ns, of a run. */
    Column sinceFirstSent(double ns) {
        return new Column("", Axis.linear("time since the first packet was sent (" + symbol + ")", 0, of(ns)));
    }

    /** The y of a curve in ns. */
    double[] y(Curve curve) {
        return IntStream.range(0, curve.size())
                .mapToDouble(i -> of((double) curve.y(i)))
                .toArray();
    }

    /** The x of a curve in ns. */
    double[] x(Curve curve) {
        return IntStream.range(0, curve.size())
                .mapToDouble(i -> of((double) curve.x(i)))
                .toArray();
    }

    /** The x of a curve as it is. */
    static double[] numbers(Curve curve) {
        return IntStream.range(0, curve.size())
                .mapToDouble(i -> (double) curve.x(i))
                .toArray();
    }
}
