package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;

/** Checks of the live pages in a browser. */
public final class LivePages {
    private LivePages() {}

    /** Waits for a state of the connection to the server: open, lost or closed. */
    public static void awaitConnection(Chromium browser, String state) {
        browser.until("return document.getElementById('connection').dataset.state === '" + state + "'");
    }

    /** Checks that the open page fits this width and uses the dark color scheme. */
    public static void checkNarrowAndDark(Chromium browser, int width) {
        assertThat(browser.json("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(width);
        assertThat(browser.json("getComputedStyle(document.body).backgroundColor")
                        .asString())
                .isEqualTo("rgb(20, 23, 28)");
    }

    /** Returns the length in px of the line that shows the values of the first chart, if it has their color. */
    public static double drawnLength(Chromium browser) {
        return browser.json(
                        """
                        (() => {
                          const line = document.querySelector("figure .line.value path");
                          const sample = document.body.appendChild(document.createElement("i"));
                          sample.style.color = "var(--value)";
                          const color = getComputedStyle(sample).color;
                          sample.remove();
                          return getComputedStyle(line).stroke === color && line.checkVisibility()
                            ? line.getTotalLength() * line.getScreenCTM().a : 0;
                        })()""")
                .asDouble();
    }

    /**
     * Checks that all requests since the last call went to the page's server, and that its content security policy
     * blocked nothing.
     */
    public static void checkRequests(Chromium browser, URI page) {
        assertThat(browser.requests())
                .contains(page + "events")
                .noneMatch(request -> request.startsWith("http") && !request.startsWith(page.toString()));
        assertThat(browser.console()).noneMatch(message -> message.contains("Security Policy"));
    }
}
