package org.lagbench.analysis.forecast;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.commons.math3.stat.descriptive.moment.StandardDeviation;
import org.apache.commons.math3.util.ResizableDoubleArray;
import org.lagbench.analysis.forecast.SeriesForecast.StepForecast;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesFiles;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;

/**
 * The metrics of a series. Undefined metrics are NaN.
 *
 * @param values number of values
 * @param missing number of records without a value
 * @param missingByState the records without a value, by their {@linkplain SeriesFiles.SeriesState#text state}
 * @param firstNs time of the first record in ns since the epoch; 0 if there is none
 * @param lastNs time of the last record in ns since the epoch; 0 if there is none
 * @param standardDeviation of the sample (n − 1)
 * @param median estimator R-7
 * @param last the last value
 * @param forecast of the next value, selected by the smallest MSE
 */
public record SeriesSummary(
        SeriesInfo series,
        long values,
        long missing,
        Map<String, Long> missingByState,
        long firstNs,
        long lastNs,
        double mean,
        double standardDeviation,
        double median,
        double last,
        StepForecast forecast) {
    /** Returns the metrics of all series of a session, also while it is recorded. */
    public static List<SeriesSummary> ofAll(Path session) throws LagbenchException {
        List<SeriesSummary> summaries = new ArrayList<>();
        for (SeriesInfo series : SeriesIndex.read(session).series()) {
            summaries.add(of(session, series));
        }
        return summaries;
    }

    /** Computes the metrics. Takes 8 bytes of memory for each value, which the median needs. */
    private static SeriesSummary of(Path session, SeriesInfo series) throws LagbenchException {
        SeriesForecaster forecaster = new SeriesForecaster(Selection.PAPER, 1, series.domain());
        Map<String, Long> missing = new TreeMap<>();
        ResizableDoubleArray known = new ResizableDoubleArray();
        long[] timesNs = new long[2]; // times of the first and the last record
        SeriesFiles.read(session, series.name(), 0, Long.MAX_VALUE, (atNs, value, state) -> {
            timesNs[0] = timesNs[0] == 0 ? atNs : timesNs[0];
            timesNs[1] = atNs;
            forecaster.learn(value);
            if (state == SeriesFiles.SeriesState.OK) {
                known.addElement(value);
            } else {
                missing.merge(SeriesFiles.SeriesState.text(state), 1L, Long::sum);
            }
        });
        double[] values = known.getElements();
        return new SeriesSummary(
                series,
                values.length,
                missing.values().stream().mapToLong(Long::longValue).sum(),
                missing,
                timesNs[0],
                timesNs[1],
                new Mean().evaluate(values),
                values.length < 2 ? Double.NaN : new StandardDeviation().evaluate(values),
                Quantile.median(values),
                values.length == 0 ? Double.NaN : values[values.length - 1],
                forecaster.seriesForecast().next());
    }
}
