package org.lagbench.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.SeriesForecast;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.analysis.forecast.TimedSeries;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesFiles;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.report.chart.EquivalenceCharts;
import org.lagbench.report.table.EquivalenceReport;
import org.lagbench.report.table.ForecastReport;
import org.lagbench.report.table.TableFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench forecast}: forecasts the series of a monitor, or compares how predictable two of them are. */
@Listed(in = HelpSection.RESULTS, order = 60)
@Command(
        name = "forecast",
        description = "Forecast the next value of each series of a monitor with the forecasters of the Network Weather"
                + " Service, or compare how predictable two series are.",
        footer = {
            "  lagbench forecast results/weather",
            "  lagbench forecast results/weather --series ping.java --select nws --steps 5",
            "  lagbench forecast results/weather --series ping.c --against ping.java --figures figures"
        })
public final class ForecastCommand extends Subcommand {
    @Parameters(paramLabel = "DIR", description = "The session directory of lagbench monitor.")
    private Path session = Path.of("");

    @Option(names = "--series", paramLabel = "NAME", description = "Forecast only this series (default: all of them).")
    private @Nullable String series;

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
            names = "--steps",
            paramLabel = "N",
            description = "How many values ahead to forecast (default: ${DEFAULT-VALUE}).")
    private int steps = 1;

    @Option(
            names = "--against",
            paramLabel = "NAME",
            description = "Instead of forecasting, compare --series with this series of the session.")
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
        require(
                steps >= 1 && steps <= SeriesForecaster.MAX_STEP,
                "--steps: " + steps + " is not from 1 to " + SeriesForecaster.MAX_STEP + ".");
        if (!SeriesIndex.isIn(session)) {
            throw ExitCode.FILES.failure(session + " is not the session directory of lagbench monitor.");
        }
        List<SeriesInfo> all = SeriesIndex.read(session).series();
        requireSeries("--series", series, all);
        requireSeries("--against", against, all);
        require(against == null || series != null, "--against compares with a series; select it with --series NAME.");
        require(against != null || figures == null, "--figures needs --against.");
        if (series != null && against != null) {
            print(comparison(series, against));
            return ExitCode.OK.code();
        }
        require(
                series != null || format == TableFormat.TEXT,
                "--format " + format.text() + " prints one series; select it with --series NAME.");
        boolean hasForecast = false;
        for (SeriesInfo one : all) {
            if (series == null || series.equals(one.name())) {
                hasForecast |= forecast(one);
            }
        }
        if (!hasForecast) {
            throw ExitCode.FILES.failure(
                    (series == null ? "No series of " + session + " has a value" : "Series " + series + " has no value")
                            + ": there is nothing to forecast.");
        }
        return ExitCode.OK.code();
    }

    /** Prints the forecast of a series from its files of all days. Returns false if it has no value. */
    private boolean forecast(SeriesInfo info) throws LagbenchException {
        SeriesForecaster forecaster = new SeriesForecaster(selection, steps, info.domain());
        SeriesFiles.read(session, info.name(), 0, Long.MAX_VALUE, (atNs, value, state) -> forecaster.learn(value));
        SeriesForecast forecast = forecaster.seriesForecast();
        if (forecast.values() == 0) {
            err().println("lagbench: series " + info.name() + " has no value yet");
            return false;
        }
        print(new ForecastReport(forecast, info.name()).result().text(format));
        return true;
    }

    private void requireSeries(String option, @Nullable String name, List<SeriesInfo> all) throws LagbenchException {
        List<String> names = all.stream().map(SeriesInfo::name).toList();
        require(
                name == null || names.contains(name),
                option + ": " + session + " has no series " + name + "; it has " + String.join(", ", names) + ".");
    }

    private String comparison(String baseline, String compared) throws LagbenchException {
        Equivalence equivalence =
                Equivalence.of(TimedSeries.read(session, baseline), TimedSeries.read(session, compared), selection);
        if (equivalence.regression().pairs() == 0) {
            throw ExitCode.FILES.failure(
                    baseline + " and " + compared + " have no values that are nearest in time to each other.");
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

    private static final class Formats extends Choice<TableFormat> {
        Formats() {
            super("format", List.of(TableFormat.TEXT, TableFormat.JSON, TableFormat.CSV), TableFormat::text);
        }
    }
}
