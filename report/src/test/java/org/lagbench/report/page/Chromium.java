package org.lagbench.report.page;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The distribution's Chromium without a screen, steered by its own driver. Nothing is downloaded. */
final class Chromium implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ChromeDriver driver;

    private Chromium(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Starts it; the test is skipped where there is none. */
    static Chromium start(Path profile) {
        File browser = program("chromium", "chromium-browser", "google-chrome");
        File driver = program("chromedriver");
        assumeTrue(browser != null, "there is no Chromium on this machine (package chromium)");
        assumeTrue(driver != null, "there is no chromedriver on this machine (package chromium-driver)");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(Objects.requireNonNull(browser));
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--user-data-dir=" + profile);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(driver)
                .usingAnyFreePort()
                .build();
        return new Chromium(new ChromeDriver(service, options));
    }

    ChromeDriver driver() {
        return driver;
    }

    /** Opens a page at a width, in a colour scheme, and waits until its script has come to the end. */
    void open(Path page, int width, String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        driver.get(page.toUri().toString());
        until("return document.documentElement.dataset.ready === 'true'");
        // charts are drawn once more when the browser tells them their width
        driver.executeAsyncScript(
                "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))");
    }

    /** What a script returns. */
    @Nullable
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** What a script returns, by way of JSON. */
    JsonNode json(String expression) {
        return JSON.readTree(String.valueOf(run("return JSON.stringify(" + expression + ")")));
    }

    /** Waits until a script returns true. */
    void until(String script) {
        new WebDriverWait(driver, Duration.ofSeconds(60)).until(d -> Boolean.TRUE.equals(run(script)));
    }

    /** What was written to the console, and what broke a policy, since this was asked last. */
    List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }

    /** The addresses asked for since this was asked last. */
    List<String> requests() {
        return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
                .map(entry -> JSON.readTree(entry.getMessage()).get("message"))
                .filter(message -> message.get("method").asString().equals("Network.requestWillBeSent"))
                .map(message -> message.get("params").get("request").get("url").asString())
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }

    private static @Nullable File program(String... names) {
        String path = System.getenv("PATH");
        return path == null
                ? null
                : Stream.of(names)
                        .flatMap(name -> Arrays.stream(path.split(File.pathSeparator))
                                .map(directory -> Path.of(directory, name)))
                        .filter(Files::isExecutable)
                        .map(Path::toFile)
                        .findFirst()
                        .orElse(null);
    }
}
