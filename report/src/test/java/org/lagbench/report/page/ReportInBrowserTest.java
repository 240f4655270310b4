package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;
import tools.jackson.databind.JsonNode;

/** Shows the report in a browser and uses it by pointer and keyboard. */
@Tag("one-java")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportInBrowserTest {
    @AutoClose
    private ShownReport report;

    @BeforeAll
    void show(@TempDir Path directory) throws Exception {
        report = ShownReport.in(directory);
    }

    @Test
    void showsSpecialCharactersLiterally() {
        report.open(ShownReport.WIDE, "light");
        assertThat(report.browser().run("return document.querySelector('h1').textContent"))
                .isEqualTo(ReportSession.NAME);
        assertThat(report.browser().driver().getTitle()).isEqualTo(ReportSession.NAME + " – lagbench");
        assertThat(report.text("#excluded"))
                .contains("0004-udp-992-r1", "broke off: the receiver said </script><script>alert(1)</script>");
        assertThat(report.text("#environment")).contains("Linux <i>6</i>");
        assertThat(report.browser()
                        .run("return [...document.scripts].filter(one => one.type !== 'application/json').length"))
                .isEqualTo(1L);
    }

    @Test
    void beginsWithRowForEachPoint() {
        report.open(ShownReport.WIDE, "light");
        assertThat(report.text(".measured"))
                .isEqualTo("TCP/IP, UDP/IP; 24 and 992 bytes; 3 runs, 9,000 packets in all, 3 lost."
                        + " Clock bound of each lag: ± 1 ns (one kernel), plus 0.05 % of the lag.");
        assertThat(report.browser()
                        .json("[...document.querySelectorAll('#overview .row')].filter(row => row.checkVisibility())"
                                + ".map(row => row.ariaLabel)"))
                .map(JsonNode::asString)
                .satisfiesExactly(
                        tcp -> assertThat(tcp).matches("TCP/IP, 992 bytes: median .* µs, Q99 .*, 0\\.03.% lost"),
                        udp -> assertThat(udp).startsWith("UDP/IP, 24 bytes: ").contains(", maximum 40.1 ms, "));
    }

    @Test
    void makesNoRequestsAndNoErrors() {
        report.browser().console();
        report.browser().requests();
        report.open(ShownReport.WIDE, "light");
        report.browser().run("document.querySelectorAll('details').forEach(details => { details.open = true; })");
        report.plot("over-time").sendKeys("+");
        assertThat(report.browser().requests())
                .isNotEmpty()
                .allMatch(address -> address.startsWith("file:") || address.startsWith("data:"));
        assertThat(report.browser().console()).isEmpty();
        assertThat(report.browser()
                        .json("performance.getEntriesByType('resource').map(entry => entry.name)"
                                + ".filter(name => !name.startsWith('data:'))"))
                .isEmpty();
    }

    @Test
    void zoomsByKeyboard() {
        report.open(ShownReport.WIDE, "light");
        double whole = report.span("over-time");
        assertThat(whole).isCloseTo(ReportSession.PACKETS * ReportSession.INTERVAL_NS / 1e6, within(0.2));
        report.plot("over-time").sendKeys("+");
        assertThat(report.span("over-time")).isCloseTo(whole / 2, within(1e-6));
        double from = report.edge("over-time", "from");
        report.plot("over-time").sendKeys(Keys.ARROW_RIGHT);
        assertThat(report.span("over-time")).isCloseTo(whole / 2, within(1e-6));
        assertThat(report.edge("over-time", "from") - from).isCloseTo(whole / 8, within(1e-6));
        report.plot("over-time").sendKeys("-");
        report.plot("over-time").sendKeys("-");
        assertThat(report.span("over-time")).isEqualTo(whole);
        report.plot("over-time").sendKeys("+");
        report.plot("over-time").sendKeys("0");
        assertThat(report.span("over-time")).isEqualTo(whole);
    }

    @Test
    void readsLongestLagByKeyboard() {
        report.open(ShownReport.WIDE, "light");
        report.plot("over-time").sendKeys("m");
        assertThat(report.status("over-time"))
                .startsWith(ReportSession.SLOWEST_TITLE + ", time since the first packet was sent 210.")
                .contains(": transmit lag 40.123456 ms; packet 2,101, lag: Garbage collection at the receiver ");
        report.plot("over-time").sendKeys(Keys.chord(Keys.SHIFT, Keys.ARROW_RIGHT));
        assertThat(report.status("over-time"))
                .startsWith(ReportSession.SLOWEST_TITLE)
                .doesNotContain("40.123456");
        report.plot("distribution").sendKeys("m");
        assertThat(report.status("distribution"))
                .isEqualTo(ReportSession.SLOWEST_TITLE
                        + ", transmit lag 40.123456 ms: fraction of arrived packets ≥ lag 0.0333444 %; packet 2,101");
    }

    @Test
    void showsEventsOnlyInTheirRun() {
        report.open(ShownReport.WIDE, "light");
        assertThat(report.browser()
                        .json("[...document.querySelectorAll('[data-chart=over-time] .spans')]"
                                + ".map(spans => [spans.closest('.drawing').querySelector('h3')"
                                + ".textContent.replaceAll('\u00a0', ' '),"
                                + " spans.dataset.name, spans.checkVisibility()].join(': '))"))
                .map(JsonNode::asString)
                .containsExactly(
                        "UDP/IP, 24 bytes, run 1, 0.03 % lost: Safepoint at the sender: true",
                        "UDP/IP, 24 bytes, run 1, 0.03 % lost: Garbage collection at the receiver: true");
        assertThat(report.text("[data-chart=over-time] .drawing:not([hidden]):has(.spans) svg:has(.panel)"))
                .contains("sender", "safepoint", "receiver", "garbage collection")
                .contains("Safepoint, 1 ms", "Garbage collection, 40.1 ms")
                .contains("Garbage collection at the receiver"); // next to the longest lag
        assertThat(report.text("[data-chart=over-time] .values summary")).isEqualTo("Lag over time as a table");
        assertThat(report.browser().run("return document.querySelector('#tail .row').ariaLabel"))
                .asString()
                .startsWith("UDP/IP, 24 bytes: garbage collection, receiver ");
    }

    @Test
    void showsBufferLevelsFromFirstToLastPacket() {
        report.open(ShownReport.WIDE, "light");
        assertThat(report.drawnLines("occupancy")).isEqualTo(1);
        report.plot("occupancy").sendKeys("m");
        assertThat(report.status("occupancy"))
                .startsWith(ReportSession.SLOWEST_TITLE + ", time since the first packet was sent 270.")
                .endsWith(": send buffer 4,299 bytes");
    }

    @Test
    void readsAndZoomsByPointer() {
        report.open(ShownReport.WIDE, "light");
        WebElement plot = report.plot("over-time");
        report.browser().run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", plot);
        double whole = report.span("over-time");
        new Actions(report.browser().driver()).moveToElement(plot).perform();
        assertThat(report.status("over-time"))
                .containsPattern("time since the first packet was sent .*: transmit lag .* µs; packet [\\d,]+$");
        new Actions(report.browser().driver())
                .clickAndHold()
                .moveByOffset(200, 0)
                .release()
                .perform();
        assertThat(report.span("over-time")).isGreaterThan(0).isLessThan(whole / 2);
    }

    @Test
    void selectsRunsByKeyboard() {
        report.open(ShownReport.WIDE, "light");
        assertThat(report.drawnLines("over-time")).isEqualTo(2);
        assertThat(report.drawnLines("distribution")).isEqualTo(2);
        WebElement second = report.browser().driver().findElement(By.cssSelector("#runs-shown input[value='1']"));
        assertThat(second.getAttribute("aria-label")).startsWith("0002-tcp-992-r2, TCP/IP, 992 bytes");
        second.sendKeys(Keys.SPACE);
        assertThat(report.drawnLines("over-time")).isEqualTo(3);
        assertThat(report.drawnLines("distribution")).isEqualTo(3);
        assertThat(report.text("#choice-status")).isEqualTo("3 of 3 runs are shown.");
        second.sendKeys(Keys.SPACE);
        assertThat(report.drawnLines("over-time")).isEqualTo(2);
    }

    @Test
    void distinguishesRunsByDashesToo() {
        report.open(ShownReport.WIDE, "light");
        assertThat(report.browser()
                        .json("[...document.querySelectorAll('[data-chart=distribution] .panel:not([hidden]) .line')]"
                                + ".filter(line => !line.hasAttribute('hidden'))"
                                + ".map(line => getComputedStyle(line.firstElementChild).strokeDasharray)"))
                .hasSize(2)
                .doesNotHaveDuplicates();
    }

    @Test
    void showsChartsAsTables() {
        report.open(ShownReport.WIDE, "light");
        report.browser().run("document.querySelectorAll('.values').forEach(details => { details.open = true; })");
        report.browser().until("return document.querySelectorAll('.values table').length === 4");
        assertThat(report.text("[data-chart=over-time] .values")).contains("40.123456 ms");
        assertThat(report.text("[data-chart=distribution] .values"))
                .contains("all within")
                .contains("40123.456");
    }

    @Test
    void namesSeriesOfDistribution() {
        report.open(ShownReport.WIDE, "light");
        assertThat(report.browser()
                        .json("[...document.querySelectorAll('[data-chart=distribution] .legend button')]"
                                + ".map(item => item.textContent)"))
                .map(JsonNode::asString)
                .containsExactly("992 bytes", "24 bytes");
        assertThat(report.browser()
                        .json("[...document.querySelectorAll('[data-chart=distribution] .legend .key')]"
                                + ".map(key => getComputedStyle(key.firstElementChild).stroke)"))
                .doesNotHaveDuplicates()
                .isEqualTo(report.browser()
                        .json("[...document.querySelectorAll('[data-chart=distribution] .panel:not([hidden]) .line')]"
                                + ".filter(line => !line.hasAttribute('hidden'))"
                                + ".map(line => getComputedStyle(line.firstElementChild).stroke)"));
    }

    @Test
    void isolatesSeriesInAllChartsAndReadsAtPointer() {
        report.open(ShownReport.WIDE, "light");
        WebElement row = report.browser().driver().findElement(By.cssSelector("#overview .wide .row"));
        new Actions(report.browser().driver()).moveToElement(row).click().perform();
        assertThat(report.text(".readout"))
                .isEqualTo(row.getAttribute("aria-label").replace('\u00a0', ' '));
        assertThat(report.browser()
                        .driver()
                        .findElement(By.className("readout"))
                        .isDisplayed())
                .isTrue();
        new Actions(report.browser().driver())
                .moveToElement(report.browser().driver().findElement(By.tagName("h1")))
                .perform();
        assertThat(report.browser().json("[...document.querySelectorAll('.faded')].map(one => one.dataset.series)"))
                .map(JsonNode::asString)
                .isNotEmpty()
                .containsOnly("24 bytes");
        row.sendKeys(Keys.ESCAPE);
        assertThat(report.browser()
                        .json("document.querySelectorAll('.faded').length")
                        .asInt())
                .isZero();
    }

    @Test
    void linksTableRowToItsChart() {
        report.open(ShownReport.WIDE, "light");
        report.browser()
                .driver()
                .findElement(By.cssSelector("#lag-table tbody tr:nth-child(2) a"))
                .sendKeys(Keys.ENTER);
        report.browser().until("return document.activeElement.dataset.point === '1'");
        assertThat(report.browser().run("return document.activeElement.ariaLabel"))
                .asString()
                .startsWith("UDP/IP, 24 bytes: ");
    }

    @Test
    void savesChartsAsFiles() {
        report.open(ShownReport.WIDE, "light");
        report.browser()
                .run("window.saved = {}; URL.createObjectURL = blob => { blob.text().then(text => {"
                        + " saved[blob.type] = text; }); return 'data:,'; };"
                        + " HTMLAnchorElement.prototype.click = () => {}");
        report.browser().run("document.querySelectorAll('#overview .downloads button').forEach(one => one.click())");
        report.browser().until("return Object.keys(saved).length === 3");
        assertThat(report.browser().run("return saved['text/csv']"))
                .asString()
                .startsWith("name,median (µs),Q99 (µs),maximum (µs),")
                .contains("\n\"UDP/IP, 24 bytes\",", ",40123.456,");
        assertThat(report.browser().run("return saved['image/svg+xml']"))
                .asString()
                .contains("UDP/IP, 24 bytes", "transmit lag (µs)");
        assertThat(report.browser()
                        .json("[...document.querySelectorAll('figure')].filter(figure =>"
                                + " figure.querySelectorAll('.downloads button').length !== 3).length")
                        .asInt())
                .isZero();
    }

    @Test
    void fitsNarrowScreen() {
        report.open(ShownReport.NARROW, "light");
        report.browser().run("document.querySelectorAll('details').forEach(details => { details.open = true; })");
        assertThat(report.browser().run("return innerWidth")).isEqualTo((long) ShownReport.NARROW);
        assertThat(report.browser()
                        .run("return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                .isEqualTo(0L);
    }

    @Test
    void followsColorSchemeOfBrowser() {
        report.open(ShownReport.WIDE, "light");
        Object light = report.browser().run("return getComputedStyle(document.body).backgroundColor");
        report.open(ShownReport.WIDE, "dark");
        Object dark = report.browser().run("return getComputedStyle(document.body).backgroundColor");
        assertThat(light).isEqualTo("rgb(255, 255, 255)");
        assertThat(dark).isNotEqualTo(light);
    }

    @Test
    void focusesSkipLinkFirstAndNamesAllControls() {
        report.open(ShownReport.WIDE, "light");
        report.browser().driver().findElement(By.tagName("body")).sendKeys(Keys.TAB);
        assertThat(report.browser().run("return document.activeElement.className"))
                .isEqualTo("skip");
        assertThat(report.browser()
                        .json("[...document.querySelectorAll('a, button, select, input, [tabindex=\"0\"], summary')]"
                                + ".filter(e => !(e.getAttribute('aria-label') || e.textContent.trim()))"
                                + ".map(e => e.outerHTML)"))
                .isEmpty();
    }

    private static Offset<Double> within(double offset) {
        return Offset.offset(offset);
    }
}
