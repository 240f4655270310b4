package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** Checks of the page that a browser shows, at any width and in any color scheme. */
public final class PageChecks {
    private static final int FIRST_CHART_PX = 500;
    private static final Duration TIME_LIMIT = Duration.ofMinutes(3);

    /**
     * Returns the findings of axe-core that keep people from using the page. Repetitions are removed: they have the
     * same findings, and would take most of the time.
     */
    private static final String SERIOUS =
            """
            const done = arguments[arguments.length - 1];
            document.querySelectorAll('tbody tr:nth-child(n+4), .run:nth-of-type(n+3), .metadata div:nth-child(n+4),'
              + ' .points li:nth-child(n+4), .drawing:nth-child(n+4), .ticks > :nth-child(n+4)')
              .forEach(one => one.remove());
            axe.run(document, { resultTypes: ['violations'], preload: false })
              .then(({ violations }) => done(violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
                .flatMap(({ id, nodes }) => nodes.map(node => id + ' ' + node.target + ': ' + node.failureSummary))
                .join('\\n')))
              .catch(error => done(String(error)));
            """;

    /** Returns the visible numbers with their units that extend over two lines. */
    private static final String BROKEN_NUMBERS =
            """
            (() => {
              const unit = '(?:\\\\s(?:ns|µs|ms|s|min|h|%|bytes?|packets?|runs?|M?bit/s))?';
              const number = new RegExp('[±<≤≥]?\\\\s?\\\\d+(?:[.,]\\\\d+)*' + unit + '(?![\\\\w-]|\\\\.\\\\d)', 'gu');
              const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              const broken = [];
              while (texts.nextNode()) {
                const text = texts.currentNode;
                const parent = text.parentElement;
                if (parent.closest('script, style, svg, pre, .metadata, h1') || !parent.checkVisibility()) {
                  continue;
                }
                for (const match of text.data.matchAll(number)) {
                  const range = document.createRange();
                  range.setStart(text, match.index + match[0].search(/\\S/));
                  range.setEnd(text, match.index + match[0].length);
                  const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
                  if (new Set(lines.map(({ top }) => Math.round(top))).size > 1) {
                    broken.push(match[0] + ' in ' + text.data.slice(0, 80));
                  }
                }
              }
              return broken;
            })()""";

    private PageChecks() {}

    /** Checks a page wide and light, and narrow and dark; skips the test if there is no browser. */
    public static void checkAll(Path page, Path profile) throws IOException {
        try (Chromium browser = Chromium.start(profile)) {
            check(browser, page, 1400, "light");
            check(browser, page, 390, "dark");
        }
    }

    private static void check(Chromium browser, Path page, int width, String scheme) throws IOException {
        browser.open(page, width, scheme);
        checkFirstChart(browser);
        checkLayout(browser);
        checkAccessibility(browser);
    }

    /** Checks that the page fits its width, and that no number is broken. */
    public static void checkLayout(Chromium browser) {
        assertThat(browser.json("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                        .asInt())
                .as("px beyond the right edge")
                .isZero();
        assertThat(browser.json(BROKEN_NUMBERS)).isEmpty();
    }

    /** Checks that the page is accessible; it is not complete afterwards. */
    public static void checkAccessibility(Chromium browser) throws IOException {
        browser.driver().manage().timeouts().scriptTimeout(TIME_LIMIT);
        try (InputStream axe = Objects.requireNonNull(PageChecks.class.getResourceAsStream("/axe.min.js"))) {
            browser.run(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        }
        assertThat(browser.driver().executeAsyncScript(SERIOUS)).isEqualTo("");
    }

    /** Checks that the page opens with a picture. */
    public static void checkFirstChart(Chromium browser) {
        assertThat(browser.json("[...document.querySelectorAll('figure svg, figure canvas')]"
                                + ".find(chart => chart.checkVisibility() && chart.getBoundingClientRect().height > 40)"
                                + ".getBoundingClientRect().top")
                        .asDouble())
                .isLessThan(FIRST_CHART_PX);
    }
}
