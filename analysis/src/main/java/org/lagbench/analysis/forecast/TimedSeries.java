package org.lagbench.analysis.forecast;

import java.nio.file.Path;
import org.apache.commons.math3.util.ResizableDoubleArray;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesFiles;

/**
 * A series in memory.
 *
 * @param name its origin
 * @param times one for each value, never decreasing
 * @param values NaN where missing
 */
@SuppressWarnings("ArrayRecordComponent") // many numbers, never compared
public record TimedSeries(String name, double[] times, double[] values) {
    /** Reads a series of a monitor's session. Times are in ns since the epoch, to 256 ns. */
    public static TimedSeries read(Path session, String name) throws LagbenchException {
        ResizableDoubleArray times = new ResizableDoubleArray();
        ResizableDoubleArray values = new ResizableDoubleArray();
        SeriesFiles.read(session, name, 0, Long.MAX_VALUE, (atNs, value, state) -> {
            times.addElement((double) atNs);
            values.addElement(value);
        });
        return new TimedSeries(name, times.getElements(), values.getElements());
    }

    /** Returns the number of values, missing ones included. */
    public int size() {
        return values.length;
    }
}
