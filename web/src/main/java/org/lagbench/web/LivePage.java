package org.lagbench.web;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.lagbench.report.page.Page;

/** A page with its style and script, which are the only files that the server has. */
public enum LivePage {
    SWEEP,
    MONITOR;

    /** Returns the replies by path. */
    Map<String, LiveResponse> files() {
        Map<String, LiveResponse> files = new LinkedHashMap<>();
        String name = name().toLowerCase(Locale.ROOT);
        String html = file("frame.html").replace("{name}", name).replace("{body}", file(name + ".html"));
        files.put("/", LiveResponse.ok("text/html; charset=utf-8", html));
        files.put("/live.css", LiveResponse.ok("text/css; charset=utf-8", Page.chartStyle() + file("live.css")));
        files.put("/charts.js", script(Page.chartScript() + "export { Drawing, beginChart, number };\n"));
        for (String script : new String[] {"live.js", name + ".js"}) {
            files.put("/" + script, script(file(script)));
        }
        return files;
    }

    private static LiveResponse script(String text) {
        return LiveResponse.ok("text/javascript; charset=utf-8", text);
    }

    private static String file(String name) {
        return Page.resource(LivePage.class, name);
    }
}
