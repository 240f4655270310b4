package org.lagbench.web;

import java.util.LinkedHashMap;
import java.util.Map;
import org.lagbench.report.page.Page;

/** A page with its style and script, which are the only files that the server has. */
public enum LivePage {
    SWEEP("sweep"),
    MONITOR("monitor");

    private final String name;

    LivePage(String name) {
        this.name = name;
    }

    /** Returns the answers by path. */
    Map<String, LiveAnswer> files() {
        Map<String, LiveAnswer> files = new LinkedHashMap<>();
        String html = text("frame.html").replace("{name}", name).replace("{body}", text(name + ".html"));
        files.put("/", LiveAnswer.ok("text/html; charset=utf-8", html));
        files.put("/live.css", LiveAnswer.ok("text/css; charset=utf-8", text("live.css")));
        files.put("/ticks.js", script(Page.ticksScript() + "export { roundTicks };\n"));
        for (String script : new String[] {"live.js", "axes.js", "chart.js", name + ".js"}) {
            files.put("/" + script, script(text(script)));
        }
        return files;
    }

    private static LiveAnswer script(String text) {
        return LiveAnswer.ok("text/javascript; charset=utf-8", text);
    }

    private static String text(String file) {
        return Page.resource(LivePage.class, file);
    }
}
