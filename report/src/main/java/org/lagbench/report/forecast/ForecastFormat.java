package org.lagbench.report.forecast;

import java.util.Locale;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.SeriesForecast;

/** The formats of forecasts and comparisons. All are UTF-8 text, the same in every locale. */
public enum ForecastFormat {
    /** Sentences and tables. */
    TEXT,
    /** JSON with every figure. */
    JSON,
    /** Comma-separated values: a row for each forecaster and step, or for each figure of a comparison. */
    CSV;

    /** Returns the name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Formats a forecast.
     *
     * @param name the name of the series
     */
    public String format(SeriesForecast forecast, String name) {
        return switch (this) {
            case TEXT -> new ForecastReport(forecast, name).text();
            case JSON -> ForecastDocument.json(forecast, name);
            case CSV -> ForecastDocument.csv(forecast);
        };
    }

    public String format(Equivalence equivalence) {
        return switch (this) {
            case TEXT -> new EquivalenceReport(equivalence).text();
            case JSON -> ForecastDocument.json(equivalence);
            case CSV -> ForecastDocument.csv(equivalence);
        };
    }
}
