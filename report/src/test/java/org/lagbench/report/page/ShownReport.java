package org.lagbench.report.page;

import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.report.table.SummaryDocument;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The report of {@link ReportSession} in a browser. */
final class ShownReport implements AutoCloseable {
    static final int WIDE = 1280;
    static final int NARROW = 390;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns the pairs of texts in the drawings of the page, or in a figure, that are on top of each other. */
    private static final String OVERLAPS =
            """
            [...document.querySelectorAll('svg')].filter(svg => svg.checkVisibility()).flatMap(svg => {
              const texts = [...svg.querySelectorAll('text')].filter(text => text.checkVisibility() && text.textContent)
                .map(text => ({ words: text.textContent, box: text.getBoundingClientRect() }));
              const isOver = ({ box: a }, { box: b }) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > .5
                && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > .5;
              return texts.flatMap((a, i) => texts.slice(i + 1).filter(b => isOver(a, b))
                .map(b => a.words + ' / ' + b.words));
            })""";

    private final Chromium browser;
    private final Path page;
    private final JsonNode summary;

    private ShownReport(Chromium browser, Path page, JsonNode summary) {
        this.browser = browser;
        this.page = page;
        this.summary = summary;
    }

    /** Writes the session and its report, and starts a browser; skips the test if there is none. */
    static ShownReport in(Path directory) throws Exception {
        Path path = ReportSession.write(directory);
        Path page = write(path);
        JsonNode summary = JSON.readTree(Files.readString(path.resolve(SummaryDocument.JSON)));
        return new ShownReport(Chromium.start(directory.resolve("profile")), page, summary);
    }

    static Path write(Path path) throws Exception {
        Session session = Session.open(path);
        Summary made = Summaries.of(session, SummaryOptions.DEFAULT);
        SummaryDocument.write(path, made);
        Path page = path.resolve(ReportFile.NAME);
        ReportFile.write(page, session, made);
        return page;
    }

    /** Returns the pairs of labels in visible drawings that are on top of each other. */
    JsonNode overlappingLabels() {
        return browser.json(OVERLAPS);
    }

    Path page() {
        return page;
    }

    Chromium browser() {
        return browser;
    }

    /** Returns the session's summary. */
    JsonNode summary() {
        return summary;
    }

    /** Opens the page at a width, in a color scheme. */
    void open(int width, String scheme) {
        browser.open(page, width, scheme);
    }

    /** Returns the tables in a part of the page: their titles, headers and rows. */
    JsonNode tablesIn(String part) {
        return browser.json("[...document.querySelectorAll(`:is(" + part + ") table.figures`)].map(table => ({"
                + "title: table.caption.textContent,"
                + "headers: [...table.tHead.rows].at(-1).cells.length && [...[...table.tHead.rows].at(-1).cells]"
                + ".map(cell => cell.firstChild.textContent.trim()),"
                + "units: [...[...table.tHead.rows].at(-1).cells]"
                + ".map(cell => cell.querySelector('.unit')?.textContent ?? ''),"
                + "rows: [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent))}))");
    }

    JsonNode pooled(String transportTitle, int packetBytes) {
        for (JsonNode point : summary.get("points")) {
            if (point.at("/point/transportTitle").asString().equals(transportTitle)
                    && point.at("/point/packetBytes").asInt() == packetBytes) {
                return point.get("metrics");
            }
        }
        throw new AssertionError("no point " + transportTitle + " " + packetBytes);
    }

    JsonNode run(String name) {
        for (JsonNode point : summary.get("points")) {
            for (JsonNode run : point.get("runs")) {
                if (run.get("name").asString().equals(name)) {
                    return run.get("metrics");
                }
            }
        }
        throw new AssertionError("no run " + name);
    }

    WebElement plot(String chart) {
        return browser.driver().findElement(By.cssSelector("[data-chart=" + chart + "] .plot"));
    }

    String status(String chart) {
        return text("[data-chart=" + chart + "] .status");
    }

    /** Returns the text of an element, with plain spaces. */
    String text(String selector) {
        return String.valueOf(browser.run("return document.querySelector(arguments[0]).textContent", selector))
                .replace('\u00a0', ' ');
    }

    /** Returns the number of visible lines of a chart. */
    long drawnLines(String chart) {
        return browser.driver().findElements(By.cssSelector("[data-chart=" + chart + "] .line:not(.key)")).stream()
                .filter(WebElement::isDisplayed)
                .count();
    }

    double span(String chart) {
        return edge(chart, "until") - edge(chart, "from");
    }

    double edge(String chart, String side) {
        return Double.parseDouble(browser.driver()
                .findElement(By.cssSelector("[data-chart=" + chart + "]"))
                .getAttribute("data-" + side));
    }

    @Override
    public void close() {
        browser.close();
    }
}
