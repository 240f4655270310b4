package org.lagbench.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.analysis.table.SummaryFiles;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The report as a browser shows it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportInBrowserTest {
    private static final int WIDE = 1280;
    private static final int NARROW = 390;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Where the summary has what stands below a header of a table of a series. */
    private static final List<String> SERIES_CELLS = List.of(
            "/medianUs",
            "/meanUs",
            "/standardDeviationUs",
            "/withoutQ95/quantileUs",
            "/withoutQ95/meanUs",
            "/withoutQ95/standardDeviationUs",
            "/withoutQ99/quantileUs",
            "/withoutQ99/meanUs",
            "/withoutQ99/standardDeviationUs");

    private static final Map<String, String> SERIES_TITLES = Map.of(
            "Transmit lag", "lag",
            "Inter-packet delay, sent", "sendDelay",
            "Inter-packet delay, received", "receiveDelay",
            "Sender lateness", "lateness",
            "Lag from the scheduled time", "lagFromSchedule");

    private static final Map<String, String> PACKET_CELLS = Map.ofEntries(
            Map.entry("Runs", "/runs"),
            Map.entry("Sent", "/packets/sent"),
            Map.entry("Lost", "/packets/lost"),
            Map.entry("Duplicated", "/packets/duplicated"),
            Map.entry("Reordered", "/packets/reordered"),
            Map.entry("Foreign", "/packets/foreign"),
            Map.entry("Kernel drops", "/packets/kernelDrops"),
            Map.entry("n", "/series/lag/n"),
            Map.entry("Negative", "/packets/negativeLags"),
            Map.entry("Beyond Q95", "/series/lag/withoutQ95/dropped"),
            Map.entry("Beyond Q99", "/series/lag/withoutQ99/dropped"),
            Map.entry("First 1000", "/warmUp/firstQ99Us"),
            Map.entry("Rest", "/warmUp/restQ99Us"));

    private Chromium browser;
    private Path page;
    private JsonNode summary;

    @BeforeAll
    void showReport(@TempDir Path directory) throws Exception {
        Path path = ReportSession.write(directory);
        Session session = Session.open(path);
        Summary made = Summaries.of(session, SummaryOptions.DEFAULT);
        SummaryFiles.write(path, made);
        summary = JSON.readTree(Files.readString(path.resolve(SummaryFiles.JSON)));
        page = path.resolve(ReportFile.NAME);
        ReportFile.write(page, session, made);
        browser = Chromium.start(directory.resolve("profile"));
    }

    @AfterAll
    void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void everyCellOfTheTablesIsWhatTheSummarySays() {
        browser.open(page, WIDE, "light");
        JsonNode tables = tablesIn("#lag-table, #series");
        assertThat(tables.size()).isEqualTo(6);
        int compared = 0;
        for (JsonNode table : tables) {
            assertThat(table.get("rows").size()).isEqualTo(2);
            for (JsonNode row : table.get("rows")) {
                compared += compare(
                        table, row, pooled(row.get(0).asString(), row.get(1).asInt()));
            }
        }
        // two points: five series of nine figures, and 13 counts
        assertThat(compared).isEqualTo(2 * (5 * 9 + 13));
    }

    @Test
    void everyNumberOfTheBuffersIsOneThatTheSummaryHasOfItsPoint() {
        browser.open(page, WIDE, "light");
        int compared = 0;
        for (JsonNode table : tablesIn("#buffers")) {
            for (JsonNode row : table.get("rows")) {
                List<Double> numbers = new ArrayList<>();
                collectNumbers(pooled(row.get(0).asString(), row.get(1).asInt()), numbers);
                for (int i = 2; i < row.size(); i++) {
                    String cell = row.get(i).asString();
                    if (cell.matches("-?\\d+(\\.\\d+)?")) {
                        double shown = Double.parseDouble(cell);
                        // shares are shown as per cent
                        assertThat(numbers)
                                .as(table.get("title") + ": " + row)
                                .anyMatch(number -> Math.abs(number - shown) <= ViewCells.halfDigit(cell)
                                        || Math.abs(number * 100 - shown) <= ViewCells.halfDigit(cell));
                        compared++;
                    }
                }
            }
        }
        // of two points: what was asked for and what was granted of two buffers
        assertThat(compared).isEqualTo(2 * 4);
    }

    @Test
    void everyCellOfMediaPlayoutAndStagesIsWhatTheSummarySays() {
        browser.open(page, WIDE, "light");
        int compared = 0;
        for (JsonNode table : tablesIn("#media, #playout, #stages")) {
            for (JsonNode row : table.get("rows")) {
                compared += ViewCells.compare(
                        table, row, pooled(row.get(0).asString(), row.get(1).asInt()));
            }
        }
        // of two points: media, playout and adaptive playout; of one: stages and the buffers' occupancy
        assertThat(compared).isEqualTo(2 * (13 + 13 + 7 + 4 * 7 + 5) + 3 * 8 + 4 * 9 + 3 * 4);
    }

    @Test
    void everyCellOfTheCausesIsWhatTheSummarySays() {
        browser.open(page, WIDE, "light");
        int compared = 0;
        for (JsonNode table : tablesIn("#causes")) {
            String title = table.get("title").asString();
            if (!title.endsWith(", by cause") || title.startsWith("Lost")) {
                continue;
            }
            String series = title.startsWith("Transmit lag") ? "lag" : "lagFromSchedule";
            for (JsonNode row : table.get("rows")) {
                JsonNode tail =
                        pooled(row.get(0).asString(), row.get(1).asInt()).at("/causes/" + series);
                JsonNode share = tail.get("unexplained");
                for (JsonNode entry : tail.get("byCause")) {
                    if (entry.get("cause")
                                    .asString()
                                    .replace('-', ' ')
                                    .equalsIgnoreCase(row.get(2).asString())
                            && entry.get("side").asString().equals(row.get(3).asString())) {
                        share = entry;
                    }
                }
                double packets = share.get("packets").asDouble();
                double excessUs = share.get("excessUs").asDouble();
                shows(row.get(4), packets, title);
                shows(row.get(5), 100 * packets / tail.get("packets").asDouble(), title);
                shows(row.get(6), excessUs / 1000, title);
                shows(row.get(7), 100 * excessUs / tail.get("excessUs").asDouble(), title);
                compared++;
            }
        }
        // of one point with causes, and of two series: the collection and what is left
        assertThat(compared).isEqualTo(4);
    }

    @Test
    void everyRunHasASectionWithItsOwnFigures() {
        browser.open(page, WIDE, "light");
        int compared = 0;
        for (int number = 0; number < 3; number++) {
            String name =
                    String.valueOf(browser.run("return document.querySelector('#run-" + number + " h3').textContent"));
            for (JsonNode table : tablesIn("#run-" + number)) {
                compared += compare(table, table.get("rows").get(0), run(name));
            }
        }
        assertThat(compared).isEqualTo(3 * (5 * 9 + 13));
    }

    @Test
    void thePageHoldsTheSummaryAsItIs() {
        browser.open(page, WIDE, "light");
        Object data = browser.run("return document.getElementById('data').textContent");
        assertThat(JSON.readTree(String.valueOf(data)).get("summary").equals(summary))
                .isTrue();
    }

    @Test
    void oddNamesAreShownAsTheyAre() {
        browser.open(page, WIDE, "light");
        assertThat(browser.run("return document.querySelector('h1').textContent"))
                .isEqualTo(ReportSession.NAME);
        assertThat(browser.driver().getTitle()).isEqualTo(ReportSession.NAME + " – lagbench");
        assertThat(text("#excluded"))
                .contains("0004-udp-992-r1", "broke off: the receiver said </script><script>alert(1)</script>");
        assertThat(text("#environment")).contains("Linux <i>6</i>");
        assertThat(browser.run("return document.scripts.length")).isEqualTo(3L);
    }

    @Test
    void theFirstScreenAnswersInWordsWithFigures() {
        browser.open(page, WIDE, "light");
        assertThat(text("#answers"))
                .contains("Which transport?", "How late?", "How uncertain?", "What made the tail?")
                .contains("the last after 40.1 ms")
                .contains("1 of 3,000 was lost")
                .contains("± 1 ns or better (one kernel)");
        WebElement answers = browser.driver().findElement(By.id("answers"));
        assertThat(answers.getRect().getY() + answers.getRect().getHeight()).isLessThan(900);
    }

    @Test
    void nothingIsAskedOfAnyNetworkAndNothingGoesWrong() {
        browser.console();
        browser.requests();
        browser.open(page, WIDE, "light");
        browser.run("document.querySelectorAll('details').forEach(details => { details.open = true; })");
        plot("over-time").sendKeys("+");
        assertThat(browser.requests())
                .isNotEmpty()
                .allMatch(address -> address.startsWith("file:") || address.startsWith("data:"));
        assertThat(browser.console()).isEmpty();
        assertThat(browser.json("performance.getEntriesByType('resource').map(entry => entry.name)"
                        + ".filter(name => !name.startsWith('data:'))"))
                .isEmpty();
    }

    @Test
    void chartsZoomByKeyboard() {
        browser.open(page, WIDE, "light");
        double whole = span("over-time");
        assertThat(whole).isCloseTo((double) ReportSession.PACKETS * ReportSession.INTERVAL_NS, within(200_000));
        plot("over-time").sendKeys("+");
        assertThat(span("over-time")).isCloseTo(whole / 2, within(1));
        double from = edge("over-time", "from");
        plot("over-time").sendKeys(Keys.ARROW_RIGHT);
        assertThat(span("over-time")).isCloseTo(whole / 2, within(1));
        assertThat(edge("over-time", "from") - from).isCloseTo(whole / 8, within(1));
        plot("over-time").sendKeys("-");
        plot("over-time").sendKeys("-");
        assertThat(span("over-time")).isEqualTo(whole);
        plot("over-time").sendKeys("+");
        plot("over-time").sendKeys("0");
        assertThat(span("over-time")).isEqualTo(whole);
    }

    @Test
    void theGreatestLagIsReadByKeyboardAtTheTimeItWasSent() {
        browser.open(page, WIDE, "light");
        plot("over-time").sendKeys("m");
        assertThat(said("over-time"))
                .startsWith(ReportSession.SLOWEST_RUN + ", at 210.")
                .endsWith(": 40.123456 ms; meanwhile: Garbage collection at the receiver");
        plot("over-time").sendKeys(Keys.chord(Keys.SHIFT, Keys.ARROW_RIGHT));
        assertThat(said("over-time")).startsWith(ReportSession.SLOWEST_RUN).doesNotContain("40.123456");
    }

    @Test
    void whatWentOnIsMarkedInTheRunWhereItDid() {
        browser.open(page, WIDE, "light");
        assertThat(browser.json("[...document.querySelectorAll('[data-chart=over-time] .band')]"
                        + ".map(band => band.dataset.event)"))
                .map(JsonNode::asString)
                .containsExactly("Safepoint at the sender", "Garbage collection at the receiver");
        assertThat(text("[data-chart=over-time] .legend"))
                .contains("G Garbage collection at the receiver", "s Safepoint at the sender");
        assertThat(text("[data-chart=over-time] .values summary")).isEqualTo("Lag over time as a table");
        assertThat(text("#answers")).contains("garbage collection (receiver)");
    }

    @Test
    void theBuffersAreShownWhilePacketsAreUnderWay() {
        browser.open(page, WIDE, "light");
        assertThat(drawn("occupancy", "extent")).isEqualTo(1);
        plot("occupancy").sendKeys("m");
        assertThat(said("occupancy")).isEqualTo(ReportSession.SLOWEST_RUN + ", at 270.1 ms: 4,299 bytes");
    }

    @Test
    void aPointerReadsAndDragsToZoom() {
        browser.open(page, WIDE, "light");
        WebElement plot = plot("over-time");
        browser.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", plot);
        double whole = span("over-time");
        new Actions(browser.driver()).moveToElement(plot).perform();
        assertThat(said("over-time")).contains(" at ").endsWith(" µs");
        new Actions(browser.driver())
                .clickAndHold()
                .moveByOffset(200, 0)
                .release()
                .perform();
        assertThat(span("over-time")).isGreaterThan(0).isLessThan(whole / 2);
    }

    @Test
    void runsAreChosenByKeyboard() {
        browser.open(page, WIDE, "light");
        assertThat(drawn("over-time", "extent")).isEqualTo(2);
        assertThat(drawn("distribution", "line")).isEqualTo(2);
        WebElement second = browser.driver().findElement(By.cssSelector("#runs-shown input[value='1']"));
        assertThat(second.getAttribute("aria-label")).startsWith("0002-tcp-992-r2, TCP/IP, 992 bytes");
        second.sendKeys(Keys.SPACE);
        assertThat(drawn("over-time", "extent")).isEqualTo(3);
        assertThat(drawn("distribution", "line")).isEqualTo(3);
        assertThat(text("#choice-said")).isEqualTo("3 of 3 runs are shown.");
        second.sendKeys(Keys.SPACE);
        assertThat(drawn("over-time", "extent")).isEqualTo(2);
    }

    @Test
    void runsDifferInMoreThanTheirColour() {
        browser.open(page, WIDE, "light");
        assertThat(browser.json("[...document.querySelectorAll('[data-chart=distribution] .line')]"
                        + ".map(line => line.getAttribute('stroke-dasharray'))"))
                .hasSize(2)
                .doesNotHaveDuplicates();
    }

    @Test
    void chartsCanBeReadAsTables() {
        browser.open(page, WIDE, "light");
        browser.run("document.querySelectorAll('.values').forEach(details => { details.open = true; })");
        browser.until("return document.querySelectorAll('.values table').length === 4");
        assertThat(text("[data-chart=over-time] .values")).contains("40.123456 ms");
        assertThat(text("[data-chart=distribution] .values"))
                .contains("all within")
                .contains("40.123456 ms");
    }

    @Test
    void nothingIsWiderThanANarrowScreen() {
        browser.open(page, NARROW, "light");
        browser.run("document.querySelectorAll('details').forEach(details => { details.open = true; })");
        assertThat(browser.run("return innerWidth")).isEqualTo((long) NARROW);
        assertThat(browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                .isEqualTo(0L);
    }

    @Test
    void theBrowsersColourSchemeIsFollowed() {
        browser.open(page, WIDE, "light");
        Object light = browser.run("return getComputedStyle(document.body).backgroundColor");
        browser.open(page, WIDE, "dark");
        Object dark = browser.run("return getComputedStyle(document.body).backgroundColor");
        assertThat(light).isEqualTo("rgb(255, 255, 255)");
        assertThat(dark).isNotEqualTo(light);
    }

    @Test
    void theKeyboardComesFirstToWhatSkipsTheRestAndEverythingItReachesHasAName() {
        browser.open(page, WIDE, "light");
        browser.driver().findElement(By.tagName("body")).sendKeys(Keys.TAB);
        assertThat(browser.run("return document.activeElement.className")).isEqualTo("skip");
        assertThat(browser.json("[...document.querySelectorAll('a, button, select, input, [tabindex=\"0\"], summary')]"
                        + ".filter(e => !(e.getAttribute('aria-label') || e.textContent.trim()))"
                        + ".map(e => e.outerHTML)"))
                .isEmpty();
    }

    /** The tables in a part of the page: their titles, headers and rows as shown. */
    private JsonNode tablesIn(String part) {
        return browser.json("[...document.querySelectorAll(`:is(" + part + ") table.figures`)].map(table => ({"
                + "title: table.caption.textContent,"
                + "headers: [...table.tHead.rows].at(-1).cells.length && [...[...table.tHead.rows].at(-1).cells]"
                + ".map(cell => cell.firstChild.textContent.replaceAll('\\u00ad', '').trim()),"
                + "rows: [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent))}))");
    }

    /** Compares what is after the columns that tell rows apart; returns how many cells. */
    private static int compare(JsonNode table, JsonNode row, JsonNode figures) {
        String title = table.get("title").asString();
        int compared = 0;
        if (title.equals("Packets")) {
            for (int i = 2; i < row.size(); i++) {
                String header = table.get("headers").get(i).asString();
                assertThat(PACKET_CELLS).containsKey(header);
                shows(row.get(i), figures.at(PACKET_CELLS.get(header)), title + ", " + header);
                compared++;
            }
            return compared;
        }
        String series = SERIES_TITLES.get(title.replaceFirst(" ± 1 ns \\(one kernel\\)", ""));
        assertThat(series).as(title).isNotNull();
        for (String place : SERIES_CELLS) {
            shows(row.get(2 + compared), figures.at("/series/" + series + place), title + ", " + place);
            compared++;
        }
        if (row.size() > 2 + compared) {
            assertThat(row.get(2 + compared).asString())
                    .isEqualTo("± " + figures.get("clockBoundNs").asLong() + " ns");
            assertThat(row.get(3 + compared).asString()).isEqualTo("one kernel");
        }
        return compared;
    }

    /** What is shown is the number, rounded to the digits shown. */
    private static void shows(JsonNode cell, JsonNode number, String what) {
        assertThat(number.isNumber()).as(what + " in the summary").isTrue();
        shows(cell, number.asDouble(), what);
    }

    private static void shows(JsonNode cell, double number, String what) {
        ViewCells.shows(cell, number, what);
    }

    private static void collectNumbers(JsonNode node, List<Double> numbers) {
        if (node.isNumber()) {
            numbers.add(node.asDouble());
        }
        node.forEach(child -> collectNumbers(child, numbers));
    }

    private JsonNode pooled(String transportTitle, int packetBytes) {
        for (JsonNode point : summary.get("points")) {
            if (point.at("/point/transportTitle").asString().equals(transportTitle)
                    && point.at("/point/packetBytes").asInt() == packetBytes) {
                return point.get("pooled");
            }
        }
        throw new AssertionError("no point " + transportTitle + " " + packetBytes);
    }

    private JsonNode run(String name) {
        for (JsonNode point : summary.get("points")) {
            for (JsonNode run : point.get("runs")) {
                if (run.get("name").asString().equals(name)) {
                    return run.get("figures");
                }
            }
        }
        throw new AssertionError("no run " + name);
    }

    private WebElement plot(String chart) {
        return browser.driver().findElement(By.cssSelector("[data-chart=" + chart + "] .plot"));
    }

    private String said(String chart) {
        return text("[data-chart=" + chart + "] .said");
    }

    private String text(String selector) {
        return String.valueOf(browser.run("return document.querySelector(arguments[0]).textContent", selector));
    }

    private long drawn(String chart, String kind) {
        return browser.driver()
                .findElements(By.cssSelector("[data-chart=" + chart + "] path." + kind))
                .size();
    }

    private double span(String chart) {
        return edge(chart, "until") - edge(chart, "from");
    }

    private double edge(String chart, String side) {
        return Double.parseDouble(browser.driver()
                .findElement(By.cssSelector("[data-chart=" + chart + "]"))
                .getAttribute("data-" + side));
    }

    private static org.assertj.core.data.Offset<Double> within(double offset) {
        return org.assertj.core.data.Offset.offset(offset);
    }
}
