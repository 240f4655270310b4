package org.lagbench.analysis.forecast;

import org.lagbench.core.failure.LagbenchException;

/** Receives the values of a series in order. */
@FunctionalInterface
public interface SeriesConsumer {
    /**
     * Receives a value.
     *
     * @param time its time in the file's unit, or in s since 1970 where the file has dates; its number from 1 if the
     *     file has no times. Times never decrease.
     * @param value NaN if it is missing
     * @throws LagbenchException if the consumer cannot use it; reading ends
     */
    void accept(double time, double value) throws LagbenchException;
}
