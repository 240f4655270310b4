package org.lagbench.report.table;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.stream.DoubleStream;

/** The unit in which times of one magnitude are shown. */
public enum TimeScale {
    MICROSECONDS("µs", 1e3),
    MILLISECONDS("ms", 1e6),
    SECONDS("s", 1e9);

    private static final double MAX_VALUE = 10_000;
    private static final double MIN_WITH_TENTHS = 100;
    private static final double MIN_TENTH = 0.1;

    private final String symbol;
    private final double ns;

    TimeScale(String symbol, double ns) {
        this.symbol = symbol;
        this.ns = ns;
    }

    /**
     * Returns the largest unit in which no time is below 1, or none is below 0.1 if one is at least 100. Times of 0 and
     * undefined ones do not count.
     */
    public static TimeScale of(DoubleStream timesNs) {
        DoubleSummaryStatistics range = timesNs.filter(ns -> ns != 0 && Double.isFinite(ns))
                .map(Math::abs)
                .summaryStatistics();
        return range.getCount() == 0 || MILLISECONDS.isTooLarge(range)
                ? MICROSECONDS
                : SECONDS.isTooLarge(range) ? MILLISECONDS : SECONDS;
    }

    private boolean isTooLarge(DoubleSummaryStatistics range) {
        return of(range.getMin()) < (of(range.getMax()) >= MIN_WITH_TENTHS ? MIN_TENTH : 1);
    }

    /** Returns the unit in which times up to that many ns are neither tiny nor huge. */
    public static TimeScale forUpTo(double ns) {
        return Arrays.stream(values())
                .filter(unit -> Math.abs(ns) <= MAX_VALUE * unit.ns)
                .findFirst()
                .orElse(SECONDS);
    }

    /** Returns the unit of a time axis of that many ns. */
    public static TimeScale ofDuration(double ns) {
        return ns >= SECONDS.ns ? SECONDS : MILLISECONDS;
    }

    public String symbol() {
        return symbol;
    }

    /** Returns the length of the unit in ns. */
    public double ns() {
        return ns;
    }

    /** Returns a time in ns in this unit. */
    public double of(double ns) {
        return ns / this.ns;
    }

    /**
     * Returns a time in ns in this unit, with three significant digits, in µs at most to the ns; "open" if it is
     * infinite.
     */
    public String text(double ns) {
        return Double.isInfinite(ns) ? "open" : Numbers.significant(3, of(ns));
    }
}
