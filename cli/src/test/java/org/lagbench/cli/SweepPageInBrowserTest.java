package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.report.page.Chromium;
import org.lagbench.report.page.LivePages;
import org.lagbench.report.page.PageChecks;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import tools.jackson.databind.JsonNode;

/** The page of a sweep in a browser, from the first run until it has ended. */
@Tag("one-java")
class SweepPageInBrowserTest {
    private static final int PACKETS = 3_000;

    /** Draws values on a linear and on a logarithmic axis, and returns the labels of the vertical axis. */
    private static final String CHART =
            """
            const done = arguments[0];
            import("./live.js").then(({ chartIn }) => {
              const figure = document.querySelector("main").appendChild(document.createElement("figure"));
              figure.ariaLabel = "Lag";
              const show = chartIn(figure);
              done(["linear", "logarithmic"].map(scale => {
                const layers = [{ kind: "line", name: "Q99", x: [1, 2], y: [5, 5000] }];
                const axes = { x: { label: "", to: 2 }, y: { label: "lag (µs)", scale } };
                show({ title: "", panels: [{ height: 100, ...axes, layers }] });
                const labels = [...figure.querySelectorAll(".ticks [text-anchor=end]")];
                return labels.map(label => label.textContent).join(" ");
              }).join("; "));
            });
            """;

    /** Saves the chart of the finished runs as each kind of file. */
    private static final String SAVE =
            """
            window.saved = {};
            URL.createObjectURL = blob => {
              blob.text().then(text => { saved[blob.type] = text; });
              return "data:,";
            };
            HTMLAnchorElement.prototype.click = () => {};
            document.querySelectorAll("#finished .downloads button").forEach(one => one.click());
            """;

    @TempDir
    private Path directory;

    @Test
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
            assertThat(LivePages.drawnLength(browser)).isGreaterThan(20);

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
            checkChart(browser);
            PageChecks.checkLayout(browser);
            PageChecks.checkAccessibility(browser);
            assertThat(browser.driver().executeAsyncScript(CHART))
                    .isEqualTo("0 1,000 2,000 3,000 4,000 5,000; 10 100 1,000");
            LivePages.checkRequests(browser, address);
        }
    }

    /** Reads, zooms and saves the chart of the finished run. */
    private static void checkChart(Chromium browser) {
        WebElement plot = browser.driver().findElement(By.cssSelector("#finished .plot"));
        plot.sendKeys("m");
        assertThat(browser.json("document.querySelector('#finished .status').textContent")
                        .asString())
                .matches("run 1, median to Q99 .*\u00a0[nµm]s to .*\u00a0[nµm]s, median .*\u00a0[nµm]s");
        plot.sendKeys("+");
        assertThat(browser.json("Number(document.getElementById('finished').dataset.from)")
                        .asDouble())
                .isEqualTo(0.75);
        plot.sendKeys("0");
        browser.run(SAVE);
        browser.until("return Object.keys(saved).length === 3");
        JsonNode files = browser.json("saved");
        assertThat(files.get("text/csv").asString()).startsWith("series,run,lag (µs)\nmedian,1,");
        assertThat(files.get("image/svg+xml").asString()).contains("median lag, line to the 99 % quantile", "lag (µs)");
    }

    private static URI address(String printed) {
        Matcher line = Pattern.compile("Live page: (http://\\S+)").matcher(printed);
        assertThat(line.find()).as(printed).isTrue();
        return URI.create(line.group(1));
    }
}
