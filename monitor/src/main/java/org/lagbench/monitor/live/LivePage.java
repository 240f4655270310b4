package org.lagbench.monitor.live;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** A page with its style and script, which are the only files that the server has. */
public enum LivePage {
    SWEEP("sweep.html", "sweep.js"),
    MONITOR("monitor.html", "monitor.js");

    private final String html;
    private final String script;

    LivePage(String html, String script) {
        this.html = html;
        this.script = script;
    }

    /** Returns the answers by path. */
    Map<String, LiveAnswer> files() {
        Map<String, LiveAnswer> files = new LinkedHashMap<>();
        files.put("/", file("text/html; charset=utf-8", html));
        files.put("/live.css", file("text/css; charset=utf-8", "live.css"));
        for (String name : new String[] {"live.js", "chart.js", script}) {
            files.put("/" + name, file("text/javascript; charset=utf-8", name));
        }
        return files;
    }

    private static LiveAnswer file(String type, String name) {
        try (InputStream stream = Objects.requireNonNull(LivePage.class.getResourceAsStream(name), name)) {
            return LiveAnswer.ok(type, new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
