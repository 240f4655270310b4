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

    /** Returns the number of pixels of the first chart in the color of its values. */
    public static int drawnPixels(Chromium browser) {
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
