package org.lagbench.report.chart;

import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.lagbench.analysis.statistics.Thinning.Curve;
import org.lagbench.report.chart.Chart.Column;

/** The unit of times on a linear axis. */
enum TimeUnit {
    MICROSECONDS("µs", 1e3),
    MILLISECONDS("ms", 1e6),
    SECONDS("s", 1e9);

    private static final double MAX_VALUE = 10_000;

    private final String symbol;
    private final double ns;

    TimeUnit(String symbol, double ns) {
        this.symbol = symbol;
        this.ns = ns;
    }

    /** Returns the unit in which times up to that many ns are neither tiny nor huge. */
    static TimeUnit forUpTo(double ns) {
        return Arrays.stream(values())
                .filter(unit -> Math.abs(ns) <= MAX_VALUE * unit.ns)
                .findFirst()
                .orElse(SECONDS);
    }

    /** Returns the unit of a time axis of that many ns. */
    static TimeUnit ofDuration(double ns) {
        return ns >= SECONDS.ns ? SECONDS : MILLISECONDS;
    }

    String symbol() {
        return symbol;
    }

    double of(double ns) {
        return ns / this.ns;
    }

    /** Returns a column of panels over that time of a run, in ns. */
    Column sinceFirstSent(double ns) {
        return new Column("", Axis.linear("time since the first packet was sent (" + symbol + ")", 0, of(ns)));
    }

    /** Returns the x of a curve in ns. */
    double[] x(Curve curve) {
        return scaled(curve.size(), curve::x, ns);
    }

    /** Returns the y of a curve in ns. */
    double[] y(Curve curve) {
        return scaled(curve.size(), curve::y, ns);
    }

    /** Returns the x of a curve without a unit. */
    static double[] numbers(Curve curve) {
        return scaled(curve.size(), curve::x, 1);
    }

    static double[] scaled(int size, IntToLongFunction values, double divisor) {
        return IntStream.range(0, size)
                .mapToDouble(i -> (double) values.applyAsLong(i) / divisor)
                .toArray();
    }
}
