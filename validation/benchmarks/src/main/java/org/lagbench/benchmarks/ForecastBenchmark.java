package org.lagbench.benchmarks;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.timeseries.SeriesInfo.Domain;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Forecasts a series with all forecasters, as a monitor and {@code lagbench forecast} do. */
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class ForecastBenchmark extends PartBenchmark {
    /** Number of values: a year of probes every 12 s. */
    @Param("2628000")
    public int values;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private double[] series;

    /** Makes a series with a level that changes, noise and spikes. */
    @Setup
    public void create() {
        Random random = new Random(1);
        series = new double[values];
        double level = 100;
        for (int i = 0; i < values; i++) {
            level += random.nextInt(5000) == 0 ? 10 * random.nextGaussian() : 0;
            series[i] = level + random.nextGaussian() + (random.nextInt(100) == 0 ? 50 : 0);
        }
    }

    /** Forecasts each value one step ahead, with its intervals. */
    @Benchmark
    public double forecast() {
        SeriesForecaster forecaster = new SeriesForecaster(Selection.PAPER, 1, Domain.ANY);
        for (double value : series) {
            forecaster.learn(value);
        }
        return forecaster.next();
    }
}
