package org.lagbench.report.forecast;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.analysis.forecast.CoveredInterval;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.table.Numbers;

/** Writes each value of a series with the forecast and the intervals that were made before it, as CSV. */
public final class HistoryWriter implements AutoCloseable {
    private final Path file;
    private final Writer writer;

    /**
     * Creates the file, or replaces it.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if it cannot be written
     */
    public HistoryWriter(Path file) throws LagbenchException {
        this.file = file;
        try {
            writer = Files.newBufferedWriter(file);
            writer.write("at,value,forecast,mseLow,mseHigh,conformalLow,conformalHigh,forecaster\n");
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /**
     * Writes a value.
     *
     * @param forecaster has not learned the value yet
     */
    public void write(double time, double value, SeriesForecaster forecaster) throws LagbenchException {
        double forecast = forecaster.next();
        try {
            writer.append(Numbers.exact(time)).append(',').append(Numbers.exact(value));
            append(forecast);
            append(forecaster.mseInterval());
            append(forecaster.conformalInterval());
            writer.append(',')
                    .append(Double.isNaN(forecast) ? "" : forecaster.selected())
                    .append('\n');
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private void append(CoveredInterval interval) throws IOException {
        append(interval.low());
        append(interval.high());
    }

    private void append(double number) throws IOException {
        writer.append(',').append(Numbers.exact(number));
    }

    @Override
    public void close() throws LagbenchException {
        try {
            writer.close();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private LagbenchException failure(IOException e) {
        return IoErrors.toException(file + " cannot be written", e);
    }
}
