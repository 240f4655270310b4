package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.SeriesForecast;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.analysis.forecast.TimedSeries;
import org.lagbench.core.timeseries.SeriesInfo.Domain;
import org.lagbench.report.chart.EquivalenceCharts;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ForecastReportTest {
    private static final int WIDTH = 80;

    private static SeriesForecast forecast(Selection selection, int steps, double... values) {
        SeriesForecaster forecaster = new SeriesForecaster(selection, steps, Domain.ANY);
        DoubleStream.of(values).forEach(forecaster::learn);
        return forecaster.seriesForecast();
    }

    private static SeriesForecast known(Selection selection, int steps) {
        return forecast(selection, steps, 10, 12, 11, 30, 12, 11, 10, 12);
    }

    private static Equivalence equivalence() {
        double[] times = IntStream.range(0, 600).mapToDouble(i -> i).toArray();
        Random random = new Random(1);
        double[] c = DoubleStream.generate(() -> 49_000 + 300 * random.nextGaussian())
                .limit(600)
                .toArray();
        double[] java = DoubleStream.generate(() -> 49_100 + 300 * random.nextGaussian())
                .limit(600)
                .toArray();
        return Equivalence.of(
                new TimedSeries("results/c.csv", times, c),
                new TimedSeries("results/java.csv", times, java),
                Selection.NWS);
    }

    @Test
    void printsForecastAndReason() {
        String text = new ForecastReport(known(Selection.PAPER, 1), "known.csv")
                .result()
                .text(TableFormat.TEXT);
        assertThat(text)
                .startsWith(
                        """
                        known.csv: 8 values, 0 missing.
                        The next value is forecast as 11.5000 by "trimmed mean of 31": of the 18 primary
                          forecasters it has the lowest MSE in 7 scored forecasts.

                        Next values
                        """)
                .containsPattern("(?m)^trimmed mean of 31 +primary +11\\.5000 +52\\.6270 +3\\.47619 +selected$")
                .containsPattern("(?m)^last value +primary +12\\.0000 +99\\.4286 +6\\.28571$")
                .contains("Quantiles of the last 8 values: 5 % 10.0000, 25 % 10.7500, median 11.5000,");
        assertThat(text.lines()).allMatch(line -> line.length() <= WIDTH);
    }

    @Test
    void printsSeveralStepsIn80Columns() {
        double[] values = new Random(1).doubles(100, 1e5, 2e5).toArray();
        for (Selection selection : Selection.values()) {
            String text = new ForecastReport(forecast(selection, 3, values), "-")
                    .result()
                    .text(TableFormat.TEXT);
            assertThat(text.lines().filter(line -> line.length() > WIDTH)).isEmpty();
            assertThat(text).containsPattern("(?m)^ +3 +1\\d\\d,\\d\\d\\d ");
        }
    }

    @Test
    void namesThePrimaryForecasterThatADerivedOneUses() {
        String text = new ForecastReport(known(Selection.NWS, 1), "known.csv")
                .result()
                .text(TableFormat.TEXT);
        assertThat(text.replaceAll("\\s+", " "))
                .containsPattern("by \"least M[SA]E[^\"]*\", which now uses \"[^\"]+\": of the 16 derived forecasters");
    }

    @Test
    void writesEveryMetricAsJsonAndCsv() {
        SeriesForecast forecast = known(Selection.PAPER, 2);
        JsonNode json = JsonMapper.shared()
                .readTree(new ForecastReport(forecast, "known.csv").result().text(TableFormat.JSON));
        assertThat(json.get("format").asString()).isEqualTo("lagbench-forecast-1");
        assertThat(json.get("selection").asString()).isEqualTo("paper");
        JsonNode next = json.get("steps").get(0);
        assertThat(next.get("forecast").asDouble()).isEqualTo(11.5);
        assertThat(next.get("conformalInterval").get("low").isNull()).isTrue();
        assertThat(next.get("forecasters")).hasSize(34);
        assertThat(next.get("forecasters").get(0).get("kind").asString()).isEqualTo("primary");
        List<String> csv = new ForecastReport(forecast, "known.csv")
                .result()
                .text(TableFormat.CSV)
                .lines()
                .toList();
        assertThat(csv).hasSize(1 + 2 * 34);
        assertThat(csv.get(1)).startsWith("1,last value,primary,false,12.0,99.42857142857143,6.28571428571428");
        assertThat(csv).allMatch(line -> line.chars().filter(c -> c == ',').count() == 13);
        assertThat(csv.stream().filter(line -> line.startsWith("1,") && line.contains(",true,")))
                .singleElement()
                .asString()
                .startsWith("1,trimmed mean of 31,");
    }

    @Test
    void givesNoVerdictOnTooFewValues() {
        double[] times = {0};
        Equivalence equivalence = Equivalence.of(
                new TimedSeries("a.csv", times, new double[] {5}),
                new TimedSeries("b.csv", times, new double[] {5}),
                Selection.NWS);
        assertThat(EquivalenceReport.result(equivalence).text(TableFormat.TEXT))
                .contains("Equally predictable by conformal intervals: too few values.");
        assertThat(JsonMapper.shared()
                        .readTree(EquivalenceReport.result(equivalence).text(TableFormat.JSON))
                        .get("isEquivalent"))
                .hasSize(3)
                .allSatisfy(verdict -> assertThat(verdict.isNull()).isTrue());
    }

    @Test
    void printsAComparison() {
        String text = EquivalenceReport.result(equivalence()).text(TableFormat.TEXT);
        assertThat(text)
                .startsWith("Equally predictable by forecast ± 2√MSE, the rule of Krintz and Wolski:")
                .contains("Equal means within ± 5 %: yes. The ratio is 1.00")
                .contains("Least squares from c.csv to java.csv, in pairs nearest in time\n");
        assertThat(text.lines().filter(line -> line.length() > WIDTH)).isEmpty();
        JsonNode json = JsonMapper.shared()
                .readTree(EquivalenceReport.result(equivalence()).text(TableFormat.JSON));
        assertThat(json.get("isEquivalent").get("means").asBoolean()).isTrue();
        assertThat(json.get("histogram").get("second")).hasSize(100);
        assertThat(json.get("meanRatio").get("ratio").isNumber()).isTrue();
        assertThat(EquivalenceReport.result(equivalence()).text(TableFormat.CSV).lines())
                .contains("format,lagbench-equivalence-1", "isEquivalent.means,true", "first.name,results/c.csv")
                .anyMatch(line -> line.startsWith("regression.slope,1.0"));
    }

    @Test
    void drawsErrorsOfBothSeries(@TempDir Path directory) throws Exception {
        List<Path> files = EquivalenceCharts.write(directory, equivalence());
        assertThat(files).hasSize(4).allSatisfy(file -> assertThat(file).isNotEmptyFile());
        assertThat(Files.readString(directory.resolve("error-distribution.svg")))
                .contains("c.csv", "java.csv", "fraction of errors");
    }
}
