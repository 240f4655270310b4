package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.report.chart.ChartContext;
import org.lagbench.report.chart.ChartFiles;
import org.lagbench.report.chart.ChartKinds;
import tools.jackson.databind.JsonNode;

/**
 * Shows pages in a browser, wide and narrow, light and dark: the report of a session with many points, where labels and
 * links need room, and that of {@link ReportSession}. Then the charts of the first as files.
 */
@Tag("one-java")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrowdedReportInBrowserTest {
    @AutoClose
    private ShownReport report;

    private Path crowded;
    private Path figures;

    @BeforeAll
    void show(@TempDir Path directory) throws Exception {
        report = ShownReport.in(directory);
        Path session = CrowdedSession.write(directory);
        crowded = ShownReport.write(session);
        figures = session.resolve(ChartFiles.DIRECTORY);
        Session opened = Session.open(session);
        ChartKinds kinds = ChartKinds.load();
        ChartFiles.write(
                figures,
                new ChartContext(opened, Summaries.of(opened, SummaryOptions.DEFAULT)),
                List.of(kinds.named("lag-boxes"), kinds.named("lag-over-time"), kinds.named("lag-distribution")),
                EnumSet.of(ChartFiles.Format.SVG));
    }

    /** Each page is opened once for all checks that its script allows: the crowded one takes seconds to open. */
    @ParameterizedTest
    @CsvSource({"1400, light", "600, light", "390, dark"})
    void pagesFitTheirWidth(int width, String scheme) throws Exception {
        report.browser().open(crowded, width, scheme);
        checkNavigation(width);
        checkSizesShownAtFirst();
        PageChecks.checkFirstChart(report.browser());
        PageChecks.checkLayout(report.browser());
        checkLabels(width);
        checkWarning();

        report.open(width, scheme);
        PageChecks.checkFirstChart(report.browser());
        PageChecks.checkLayout(report.browser());
        checkLabels(width);
        report.open(width, scheme);
        PageChecks.checkAccessibility(report.browser());
    }

    /** Checks the labels of the first charts, and then those of all charts, some of them zoomed. */
    private void checkLabels(int width) {
        assertThat(report.browser()
                        .json("document.querySelectorAll('.ticks text').length")
                        .asInt())
                .isGreaterThan(20);
        assertThat(report.overlappingLabels()).as("at %d px", width).isEmpty();
        report.browser().run("document.querySelectorAll('section > details').forEach(one => { one.open = true; })");
        for (String chart : List.of("over-time", "distribution", "delays")) {
            for (String key : List.of("+", "+", "+", "+", "-")) {
                report.plot(chart).sendKeys(key);
            }
        }
        assertThat(report.overlappingLabels()).as("at %d px, zoomed", width).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lag-boxes", "lag-over-time-ieee1394-24", "lag-distribution"})
    void labelsOfFiguresAreNotOnTopOfEachOther(String figure) throws Exception {
        try (Stream<Path> files = Files.list(figures)) {
            Path file = files.filter(path -> String.valueOf(path.getFileName()).startsWith(figure))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
            report.browser().driver().get(file.toUri().toString());
        }
        assertThat(report.browser()
                        .json("document.querySelectorAll('text').length")
                        .asInt())
                .isGreaterThan(10);
        assertThat(report.overlappingLabels()).isEmpty();
    }

    /** Checks that every packet size of each network is shown at first. */
    private void checkSizesShownAtFirst() {
        assertThat(report.browser()
                        .json("[...document.querySelectorAll('#runs-shown :checked')]"
                                + ".map(box => box.dataset.transport + ' ' + box.dataset.size)"))
                .map(JsonNode::asString)
                .containsAll(CrowdedSession.TRANSPORTS.stream()
                        .flatMap(transport -> CrowdedSession.SIZES.stream().map(size -> transport + " " + size))
                        .toList());
    }

    /** Checks that the links wrap within the page. */
    private void checkNavigation(int width) {
        JsonNode links = report.browser()
                .json("[...document.querySelectorAll('nav a')].map(link => link.getBoundingClientRect())"
                        + ".map(({left, right, top, bottom}) => ({left, right, top, bottom}))");
        assertThat(links.size()).isGreaterThan(8);
        for (JsonNode link : links) {
            assertThat(link.get("right").asDouble()).isLessThanOrEqualTo(width);
            assertThat(link.get("left").asDouble()).isNotNegative();
        }
        assertThat(report.browser()
                        .json("document.querySelector('nav ul').scrollWidth"
                                + " - document.querySelector('nav ul').clientWidth")
                        .asInt())
                .isZero();
    }

    /** Checks that the warning of all runs is there once, and first. */
    private void checkWarning() {
        report.browser()
                .run("document.querySelectorAll('details:not(.run *)').forEach(details => { details.open = true; })");
        String text = String.valueOf(report.browser().run("return document.body.innerText"))
                .replace('\u00a0', ' ');
        assertThat(text.split(Pattern.quote(CrowdedSession.MARK), -1)).hasSize(2);
        assertThat(report.browser().run("return document.querySelector('header').lastElementChild.className"))
                .isEqualTo("marks");
    }
}
