package org.lagbench.report.chart;

import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.lagbench.analysis.statistics.Thinning.Curve;
import org.lagbench.report.chart.Chart.Column;
import org.lagbench.report.table.TimeScale;

/** The values of curves over times in ns, in the unit of an axis. */
final class CurveTimes {
    private CurveTimes() {}

    /** Returns a column of panels over that time of a run, in ns. */
    static Column sinceFirstSent(TimeScale unit, double ns) {
        return new Column(
                "", Axis.linear("time since the first packet was sent (" + unit.symbol() + ")", 0, unit.of(ns)));
    }

    /** Returns the x of a curve in ns. */
    static double[] x(Curve curve, TimeScale unit) {
        return scaled(curve.size(), curve::x, unit.ns());
    }

    /** Returns the y of a curve in ns. */
    static double[] y(Curve curve, TimeScale unit) {
        return scaled(curve.size(), curve::y, unit.ns());
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
