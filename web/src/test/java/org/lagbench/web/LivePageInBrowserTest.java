package org.lagbench.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.forecast.SeriesSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Endpoint;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.report.page.Chromium;
import org.lagbench.report.page.LivePages;
import org.lagbench.report.page.MonitorReportFile;
import org.lagbench.report.page.PageChecks;
import org.openqa.selenium.By;

/** The page of a monitor in a browser: one visit with everything that happens to a page that stays open for days. */
@Tag("one-java")
class LivePageInBrowserTest {
    private static final int RECORDS = 400;

    @TempDir
    private Path directory;

    private RecordedSeries recorded;

    @BeforeEach
    void record() throws LagbenchException {
        recorded = new RecordedSeries(
                directory, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - RECORDS * 10_000L));
    }

    @AfterEach
    void close() throws LagbenchException {
        recorded.close();
    }

    private LiveServer serve(LiveMonitor monitor, int port) throws LagbenchException {
        return LiveServer.start(
                new Endpoint("127.0.0.1", port), null, LivePage.MONITOR, monitor.sources(), monitor.events());
    }

    private LiveMonitor open() throws LagbenchException {
        LiveMonitor monitor = new LiveMonitor(directory, "192.0.2.7", recorded.series(), failure -> {
            throw new AssertionError(failure);
        });
        monitor.refresh(() -> false);
        return monitor;
    }

    @Test
    void showsSeriesThroughReloadAndRestart() throws Exception {
        for (int i = 0; i < RECORDS; i++) {
            recorded.add(i % 50 == 7 ? Double.NaN : 100 + i % 9);
        }
        try (Chromium browser = Chromium.start(directory.resolve("profile"))) {
            int port;
            URI address;
            LiveMonitor first = open();
            try (LiveServer server = serve(first, 0)) {
                address = URI.create(server.address());
                port = address.getPort();
                browser.open(address, 1280, "light");
                awaitValues(browser, "392");
                assertThat(browser.json("Number(document.querySelector('section').dataset.columns)")
                                .asInt())
                        .isEqualTo(RECORDS);
                assertThat(text(browser, "button[aria-pressed=true]"))
                        .as("the shortest range with all values, which span %d s", RECORDS * 10)
                        .isEqualTo("6 h");
                assertThat(LivePages.drawnLength(browser)).isGreaterThan(1_000);

                recorded.add(123);
                first.refresh(() -> false);
                awaitValues(browser, "393");
                assertThat(text(browser, "dl")).contains("123 ns").containsPattern("\\(.+ to .+\\) ns");

                browser.driver().navigate().refresh();
                awaitValues(browser, "393");

                browser.driver().findElement(By.className("plot")).sendKeys("+");
                browser.until("return !document.getElementById('range').textContent.includes('follows')");
                browser.driver().findElement(By.className("plot")).sendKeys("0");
                browser.until("return document.getElementById('range').textContent.includes('follows')");
            }
            LivePages.awaitConnection(browser, "lost");
            browser.console(); // refused connections, while there is no server
            recorded.add(77);
            try (LiveServer server = serve(open(), port)) {
                LivePages.awaitConnection(browser, "open");
                awaitValues(browser, "394");
                browser.open(URI.create(server.address()), 390, "dark");
                awaitValues(browser, "394");
                LivePages.checkNarrowAndDark(browser, 390);
                assertThat(LivePages.drawnLength(browser)).isGreaterThan(200);
                PageChecks.checkLayout(browser);
                PageChecks.checkAccessibility(browser);
            }
            LivePages.checkRequests(browser, address);
        }
    }

    @Test
    void showsMonitorReportInBrowser() throws Exception {
        for (int i = 0; i < RECORDS; i++) {
            recorded.add(100 + i % 9);
        }
        new SeriesIndex(recorded.atNs(0), recorded.series()).write(directory);
        Path page = directory.resolve("report.html");
        MonitorReportFile.write(page, directory, SeriesSummary.ofAll(directory));
        PageChecks.checkAll(page, directory.resolve("profile"));
    }

    private static void awaitValues(Chromium browser, String values) {
        browser.until("const section = document.querySelector('section');"
                + " return section?.dataset.forecasts > 0 && section.querySelector('dl').textContent.includes('Values"
                + values + "')");
    }

    private static String text(Chromium browser, String selector) {
        return String.valueOf(browser.run("return document.querySelector(arguments[0]).textContent", selector));
    }
}
