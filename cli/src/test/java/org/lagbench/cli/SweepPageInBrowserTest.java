package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.report.page.Chromium;
import org.lagbench.report.page.LivePages;
import org.lagbench.report.page.PageChecks;
import tools.jackson.databind.JsonNode;

/** The page of a sweep in a browser, from the first run until it has ended. */
@Tag("one-java")
class SweepPageInBrowserTest {
    private static final int PACKETS = 3_000;

    /** Draws values on a linear and on a logarithmic axis, and returns the axes that the chart has chosen. */
    private static final String CHART =
            """
            const done = arguments[0];
            import("./chart.js").then(({ Chart }) => {
              const canvas = document.getElementById("seconds");
              const chart = new Chart(canvas, { unit: "µs" });
              done([false, true].map(isLogarithmic => {
                const layers = [{ kind: "line", name: "Q99", color: "--value", points: [[1, 5], [2, 5000]] }];
                chart.show({ isTime: false, isLogarithmic, range: [0, 2], layers });
                return canvas.dataset.axis;
              }).join(" "));
            });
            """;

    @TempDir
    private Path directory;

    @Test
    @Timeout(300)
    void showsRunAndItsMetrics() throws Exception {
        Sweeps sweeps = new Sweeps(directory);
        try (Chromium browser = Chromium.start(directory.resolve("profile"));
                LagbenchProcess sweep = sweeps.start(
                        Sweeps.TINY,
                        "--live",
                        "0",
                        "--no-report",
                        "--set",
                        "transports=[tcp]",
                        "--set",
                        "packets=" + PACKETS)) {
            sweep.awaitErr("Live page: ");
            URI address = address(sweep.err());
            browser.open(address, 390, "dark");
            LivePages.checkNarrowAndDark(browser, 390);
            browser.until("return document.getElementById('seconds').dataset.points > 1");
            assertThat(LivePages.drawnPixels(browser)).isGreaterThan(20);

            LivePages.awaitConnection(browser, "closed");
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(browser.json("document.getElementById('done').textContent")
                            .asString())
                    .isEqualTo("1 of 1 runs done.");
            JsonNode cells = browser.json(
                    "[...document.querySelectorAll('#runs tr > *')].map(cell => cell.textContent.replaceAll(',', ''))");
            assertThat(cells.get(0).asString()).isEqualTo("0001-tcp-100-r1");
            assertThat(cells.get(3).asString()).isEqualTo(Integer.toString(PACKETS));
            assertThat(cells.get(4).asString()).isEqualTo("0");
            List<Double> lags = List.of(5, 6, 7, 8, 9).stream()
                    .map(cell -> Double.parseDouble(cells.get(cell).asString()))
                    .toList();
            assertThat(lags).as("minimum to maximum").isSorted();
            assertThat(lags.get(0)).isPositive();
            assertThat(browser.json("document.getElementById('finished').dataset.points")
                            .asInt())
                    .isEqualTo(1);
            PageChecks.checkLayout(browser);
            PageChecks.checkAccessibility(browser);
            assertThat(browser.driver().executeAsyncScript(CHART)).isEqualTo("linear logarithmic");
            LivePages.checkRequests(browser, address);
        }
    }

    private static URI address(String printed) {
        Matcher line = Pattern.compile("Live page: (http://\\S+)").matcher(printed);
        assertThat(line.find()).as(printed).isTrue();
        return URI.create(line.group(1));
    }
}
