package org.lagbench.runner.monitor;

import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesInfo;

/** A measurement that is repeated. One thread makes all of them. */
public interface Probe {
    List<SeriesInfo> series();

    /** Returns how many bytes the packets of a measurement have in both directions, without headers. */
    default long packetBytes() {
        return 0;
    }

    /**
     * Measures once.
     *
     * @param atNs when it was due, in ns since the epoch
     * @return a value for each series
     * @throws LagbenchException if there is no value of any series
     */
    List<Measured> measure(long atNs) throws LagbenchException;

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
}
