package org.lagbench.runner.monitor;

import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricNames;
import org.lagbench.core.text.Endpoint;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesInfo.Domain;

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
     * Returns the series of a metric.
     *
     * @param prefix what its name begins with, such as {@code burst.java.}; "" if its id is its name
     * @param isOneClock whether one clock stamps both sides
     * @param target the receiver that is probed
     */
    static SeriesInfo series(String prefix, Metric<?> metric, boolean isOneClock, long everyNs, Endpoint target) {
        String id = metric.id().replaceAll("[^A-Za-z0-9.]+", "-");
        String title = MetricNames.inSentence(metric);
        return new SeriesInfo(
                prefix + id,
                prefix.replaceFirst("\\.$", ": ") + title,
                metric.unit(),
                everyNs,
                domain(metric, isOneClock),
                target.host());
    }

    private static Domain domain(Metric<?> metric, boolean isOneClock) {
        return switch (metric.type()) {
            case SHARE -> Domain.PERCENT;
            case RATE, COUNT, SIZE -> Domain.NOT_NEGATIVE;
            case TIME, NUMBER ->
                metric.isNotNegative() && (isOneClock || !metric.needsCommonClock()) ? Domain.NOT_NEGATIVE : Domain.ANY;
        };
    }

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
