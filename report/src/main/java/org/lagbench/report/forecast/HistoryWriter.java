package org.lagbench.report.forecast;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.lagbench.analysis.forecast.SeriesForecast.CoveredInterval;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.table.Numbers;

/** Writes each value of a series with the forecast and the intervals that were made before it, as CSV. */
public final class HistoryWriter implements AutoCloseable {
    private final String failure;
    private final Writer writer;

    /**
     * Creates the file, or replaces it.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if it cannot be written
     */
    public HistoryWriter(Path file) throws LagbenchException {
        this.failure = file + " cannot be written";
        this.writer = IoErrors.explained(failure, () -> Files.newBufferedWriter(file));
        write("at,value,forecast,mseLow,mseHigh,conformalLow,conformalHigh,forecaster");
    }

    /**
     * Writes a value.
     *
     * @param forecaster has not learned the value yet
     */
    public void write(double time, double value, SeriesForecaster forecaster) throws LagbenchException {
        double forecast = forecaster.next();
        CoveredInterval mse = forecaster.mseInterval();
        CoveredInterval conformal = forecaster.conformalInterval();
        String numbers = DoubleStream.of(
                        time, value, forecast, mse.low(), mse.high(), conformal.low(), conformal.high())
                .mapToObj(Numbers::exact)
                .collect(Collectors.joining(","));
        write(numbers + "," + (Double.isNaN(forecast) ? "" : forecaster.selected()));
    }

    private void write(String line) throws LagbenchException {
        IoErrors.explained(failure, () -> writer.append(line).append('\n'));
    }

    @Override
    public void close() throws LagbenchException {
        try {
            writer.close();
        } catch (IOException e) {
            throw IoErrors.toException(failure, e);
        }
    }
}
