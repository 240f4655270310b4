package org.lagbench.report.page;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.net.URI;
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

/** The installed Chromium, headless, with its installed driver. Nothing is downloaded. */
public final class Chromium implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ChromeDriver driver;

    private Chromium(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Starts the browser; skips the test if there is none. */
    public static Chromium start(Path profile) {
        File browser = program("chromium", "chromium-browser", "google-chrome");
        File driver = program("chromedriver");
        assumeTrue(browser != null, "there is no Chromium on this machine (Debian's package chromium)");
        assumeTrue(driver != null, "there is no chromedriver on this machine (Debian's package chromium-driver)");
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

    public ChromeDriver driver() {
        return driver;
    }

    /** Opens a file like {@link #open(URI, int, String)}. */
    void open(Path page, int width, String scheme) {
        open(page.toUri(), width, scheme);
    }

    /** Opens a page at a width, in a color scheme, and waits until its script has finished. */
    public void open(URI page, int width, String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        driver.get(page.toString());
        until("return document.documentElement.dataset.ready === 'true'");
        // charts are redrawn when the browser reports their width
        driver.executeAsyncScript(
                "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))");
    }

    /** Returns the result of a script. */
    @Nullable
    public Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Returns the value of an expression through JSON. */
    public JsonNode json(String expression) {
        return JSON.readTree(String.valueOf(run("return JSON.stringify(" + expression + ")")));
    }

    /** Waits until a script returns true. */
    public void until(String script) {
        new WebDriverWait(driver, Duration.ofSeconds(60), Duration.ofMillis(10))
                .until(d -> Boolean.TRUE.equals(run(script)));
    }

    /** Returns the console messages and policy violations since the last call. */
    public List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }

    /** Returns the addresses that pages requested since the last call, except the browser's first, empty tab. */
    public List<String> requests() {
        return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
                .map(entry -> JSON.readTree(entry.getMessage()).get("message"))
                .filter(message -> message.get("method").asString().equals("Network.requestWillBeSent"))
                .map(message -> message.get("params"))
                .filter(sent -> !sent.get("documentURL").asString().startsWith("chrome"))
                .map(sent -> sent.get("request").get("url").asString())
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
