package org.lagbench.monitor.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.forecast.Selection;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.page.Chromium;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** The page of a monitor in a browser: one visit with everything that happens to a page that stays open for days. */
@Tag("one-java")
class LivePageInBrowserTest {
    private static final int RECORDS = 400;

    private final RecordedSeries recorded =
            new RecordedSeries(TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - RECORDS * 10_000L));

    @TempDir
    private Path directory;

    private LiveServer serve(LiveMonitor monitor, int port) throws LagbenchException {
        return LiveServer.start(
                new Endpoint("127.0.0.1", port), null, LivePage.MONITOR, monitor.sources(), monitor.events());
    }

    private LiveMonitor open() throws Exception {
        return LiveMonitor.open(recorded, directory, PaperForecaster::new);
    }

    @Test
    void showsSeriesThroughReloadAndRestart() throws Exception {
        for (int i = 0; i < RECORDS; i++) {
            recorded.add(i % 50 == 7 ? Double.NaN : 100 + i % 9);
        }
        try (Chromium browser = Chromium.start(directory.resolve("profile"))) {
            int port;
            URI address;
            try (LiveMonitor monitor = open();
                    LiveServer server = serve(monitor, 0)) {
                address = URI.create(server.address());
                port = address.getPort();
                browser.open(address, 1280, "light");
                awaitValues(browser, "392");
                assertThat(browser.json("Number(document.querySelector('section').dataset.columns)")
                                .asInt())
                        .isEqualTo(RECORDS);
                assertThat(drawnPixels(browser)).isGreaterThan(1_000);

                recorded.add(123);
                awaitValues(browser, "393");
                assertThat(text(browser, "dl")).contains("123 ns").contains("±");

                browser.driver().navigate().refresh();
                awaitValues(browser, "393");

                browser.driver().findElement(By.cssSelector("canvas")).sendKeys("+");
                browser.until("return !document.getElementById('range').textContent.includes('follows')");
                browser.driver().findElement(By.cssSelector("canvas")).sendKeys(Keys.HOME);
                browser.until("return document.getElementById('range').textContent.includes('follows')");
            }
            browser.until("return document.getElementById('connection').dataset.state === 'lost'");
            browser.console(); // refused connections, while there is no server
            recorded.add(77);
            try (LiveMonitor monitor = open();
                    LiveServer server = serve(monitor, port)) {
                browser.until("return document.getElementById('connection').dataset.state === 'open'");
                awaitValues(browser, "394");
                browser.open(URI.create(server.address()), 390, "dark");
                awaitValues(browser, "394");
                assertThat(browser.json("document.documentElement.scrollWidth").asInt())
                        .isLessThanOrEqualTo(390);
                assertThat(browser.json("getComputedStyle(document.body).backgroundColor")
                                .asString())
                        .isEqualTo("rgb(20, 23, 28)");
                assertThat(drawnPixels(browser)).isGreaterThan(200);
            }
            assertThat(browser.requests())
                    .contains(address + "events")
                    .noneMatch(request -> request.startsWith("http") && !request.startsWith(address.toString()));
            assertThat(browser.console()).noneMatch(message -> message.contains("Security Policy"));
        }
    }

    private static void awaitValues(Chromium browser, String values) {
        browser.until("const section = document.querySelector('section');"
                + " return section?.dataset.forecasts > 0 && section.querySelector('dl').textContent.includes('Values"
                + values + "')");
    }

    private static String text(Chromium browser, String selector) {
        return String.valueOf(browser.run("return document.querySelector(arguments[0]).textContent", selector));
    }

    /** Returns how many pixels of the chart have a color of the values. */
    private static int drawnPixels(Chromium browser) {
        return browser.json(
                        """
                        (() => {
                          const canvas = document.querySelector("canvas");
                          const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
                          let blue = 0;
                          for (let i = 0; i < data.length; i += 4) {
                            blue += data[i + 3] > 60 && data[i + 2] > data[i] + 40 ? 1 : 0;
                          }
                          return blue;
                        })()""")
                .asInt();
    }

    /** Forecasts as the paper does. */
    private static final class PaperForecaster implements ValueForecaster {
        private final SeriesForecaster forecaster = new SeriesForecaster(Selection.PAPER, 1);

        @Override
        public void learn(double value) {
            forecaster.learn(value);
        }

        @Override
        public double next() {
            return forecaster.next();
        }

        @Override
        public double halfWidth() {
            return forecaster.mseHalfWidth();
        }

        @Override
        public String selected() {
            return forecaster.selected();
        }
    }
}
