package org.lagbench.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.SeriesColumns;
import org.lagbench.analysis.forecast.SeriesFile;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesFiles;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesInfo.Domain;
import org.lagbench.report.chart.EquivalenceCharts;
import org.lagbench.report.table.EquivalenceReport;
import org.lagbench.report.table.ForecastReport;
import org.lagbench.report.table.ForecastReport.History;
import org.lagbench.report.table.TableFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench forecast}: forecasts a series, or compares how predictable two series are. */
@Command(
        name = "forecast",
        description = {
            "Forecast the next value of a series with the forecasters of the Network Weather Service, or compare how"
                    + " predictable two series are.",
            "",
            "A file has comma-separated values, or is NumPy's .npy. Empty fields and NaN are missing values."
        },
        footer = {
            "  lagbench forecast round-trips.csv",
            "  lagbench forecast packets.csv --column lag_ns --select nws --steps 5",
            "  lagbench forecast c.npy --against java.npy --figures figures",
            "  vmstat 1 60 | awk 'NR > 2 {print $15}' | lagbench forecast - --domain percent"
        })
final class ForecastCommand extends Subcommand {
    @Parameters(
            paramLabel = "FILE",
            description = "The series; - for the standard input; or the" + " session directory of lagbench monitor.")
    private String file = SeriesFile.STANDARD_INPUT;

    @Option(
            names = "--column",
            paramLabel = "NAME",
            description = "Column of the values, by name or by number from 1 (default: \"value\", or the only one).")
    private @Nullable String column;

    @Option(
            names = "--series",
            paramLabel = "NAME",
            description = "With a session: only this series (default: all of them).")
    private @Nullable String series;

    @Option(
            names = "--time-column",
            paramLabel = "NAME",
            description = "Column of the times: numbers, or dates in ISO 8601 (default: \"at\", or none).")
    private @Nullable String timeColumn;

    @Option(
            names = "--select",
            paramLabel = "RULE",
            defaultValue = "paper",
            converter = Selections.class,
            completionCandidates = Selections.class,
            description = "How the forecaster is selected: ${COMPLETION-CANDIDATES}. paper: lowest mean squared error"
                    + " so far; nws: by the errors of the last values too; mae: lowest mean absolute error so far"
                    + " (default: ${DEFAULT-VALUE}).")
    private Selection selection = Selection.PAPER;

    @Option(
            names = "--domain",
            paramLabel = "DOMAIN",
            converter = Domains.class,
            completionCandidates = Domains.class,
            description = "Range of the values in a file, which limits all intervals: ${COMPLETION-CANDIDATES}"
                    + " (default: any). A monitor records the range of each series.")
    private @Nullable Domain domain;

    @Option(names = "--steps", paramLabel = "N", description = "How many values ahead to forecast (default: 1).")
    private @Nullable Integer steps;

    @Option(
            names = "--history",
            paramLabel = "CSV",
            description = "Also write each value with the forecast and the intervals before it.")
    private @Nullable Path history;

    @Option(
            names = "--against",
            paramLabel = "FILE2",
            description = "Instead of forecasting, compare with this series; it must have the same columns.")
    private @Nullable String against;

    @Option(
            names = "--figures",
            paramLabel = "DIRECTORY",
            description = "Directory for charts of the comparison, as SVG and PNG.")
    private @Nullable Path figures;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            converter = Formats.class,
            completionCandidates = Formats.class,
            description = "${COMPLETION-CANDIDATES}; json and csv contain every metric (default: ${DEFAULT-VALUE}).")
    private TableFormat format = TableFormat.TEXT;

    @Override
    public Integer call() throws LagbenchException {
        shutdown().endAtOnce();
        if (!file.equals(SeriesFile.STANDARD_INPUT) && SeriesIndex.isIn(Path.of(file))) {
            forecastSession(Path.of(file));
            return ExitCode.OK.code();
        }
        require(series == null, "--series needs the directory of a monitor's session.");
        SeriesColumns columns = new SeriesColumns(column, timeColumn);
        print(against == null ? forecast(columns) : comparison(columns, against));
        return ExitCode.OK.code();
    }

    /** Forecasts the series of a monitor's session, or the chosen one, each from its files of all days. */
    private void forecastSession(Path session) throws LagbenchException {
        require(
                column == null
                        && timeColumn == null
                        && domain == null
                        && history == null
                        && against == null
                        && figures == null,
                "--column, --time-column, --domain, --history, --against and --figures need a file, such as one of "
                        + session.resolve(SeriesFiles.DIRECTORY) + ".");
        List<SeriesInfo> all = SeriesIndex.read(session).series();
        List<String> names = all.stream().map(SeriesInfo::name).toList();
        require(
                series == null || names.contains(series),
                "--series: " + session + " has no series " + series + "; it has " + String.join(", ", names) + ".");
        require(
                series != null || format == TableFormat.TEXT,
                "--format " + format.text() + " prints one series; select it with --series NAME.");
        for (SeriesInfo one : all) {
            if (series != null && !series.equals(one.name())) {
                continue;
            }
            SeriesForecaster forecaster = forecaster(one.domain());
            SeriesFiles.read(session, one.name(), 0, Long.MAX_VALUE, (atNs, value, state) -> forecaster.learn(value));
            print(new ForecastReport(forecaster.seriesForecast(), one.name())
                    .result()
                    .text(format));
        }
    }

    private SeriesForecaster forecaster(Domain values) throws LagbenchException {
        int ahead = steps == null ? 1 : steps;
        require(
                ahead >= 1 && ahead <= SeriesForecaster.MAX_STEP,
                "--steps: " + ahead + " is not from 1 to " + SeriesForecaster.MAX_STEP + ".");
        return new SeriesForecaster(selection, ahead, values);
    }

    private String forecast(SeriesColumns columns) throws LagbenchException {
        require(figures == null, "--figures needs --against.");
        SeriesForecaster forecaster = forecaster(domain == null ? Domain.ANY : domain);
        if (history == null) {
            SeriesFile.read(file, columns, (time, value) -> forecaster.learn(value));
        } else {
            require(
                    !history.toAbsolutePath()
                            .normalize()
                            .equals(Path.of(file).toAbsolutePath().normalize()),
                    "--history: " + history + " is the series itself.");
            try (History writer = new History(history)) {
                SeriesFile.read(file, columns, (time, value) -> {
                    writer.write(time, value, forecaster);
                    forecaster.learn(value);
                });
            }
        }
        return new ForecastReport(forecaster.seriesForecast(), file).result().text(format);
    }

    private String comparison(SeriesColumns columns, String other) throws LagbenchException {
        require(
                steps == null && history == null && domain == null,
                "--steps, --history and --domain cannot be combined with --against.");
        Equivalence equivalence =
                Equivalence.of(SeriesFile.read(file, columns), SeriesFile.read(other, columns), selection);
        if (equivalence.regression().pairs() == 0) {
            throw ExitCode.FILES.failure(
                    file + " and " + other + " have no values that are nearest in time to each other.");
        }
        if (figures != null) {
            EquivalenceCharts.write(figures, equivalence).forEach(err()::println);
        }
        return EquivalenceReport.result(equivalence).text(format);
    }

    private static final class Selections extends Choice<Selection> {
        Selections() {
            super("rule", List.of(Selection.values()), Selection::text);
        }
    }

    private static final class Domains extends Choice<Domain> {
        Domains() {
            super("domain", List.of(Domain.values()), Domain::text);
        }
    }

    private static final class Formats extends Choice<TableFormat> {
        Formats() {
            super("format", List.of(TableFormat.TEXT, TableFormat.JSON, TableFormat.CSV), TableFormat::text);
        }
    }
}
