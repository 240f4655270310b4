package org.lagbench.runner.monitor;

import org.lagbench.core.series.SeriesState;

/**
 * A value of a series, or why there is none.
 *
 * @param value NaN unless the state is {@link SeriesState#OK}
 * @param state see {@link SeriesState}
 */
public record Measured(double value, int state) {
    /** Returns a value, or none if it is not finite. */
    static Measured of(double value) {
        return Double.isFinite(value)
                ? new Measured(value, SeriesState.OK)
                : new Measured(Double.NaN, SeriesState.NO_VALUE);
    }
}
