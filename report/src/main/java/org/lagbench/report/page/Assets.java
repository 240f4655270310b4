package org.lagbench.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/** What stands in every page: its style, its scripts, and D3 with its licence. */
final class Assets {
    private static final String D3 = "org.webjars.npm/d3";

    /** In the order in which they need each other. */
    private static final List<String> STYLES = List.of("page", "tables", "charts", "print");

    private static final List<String> SCRIPTS = List.of(
            "data",
            "look",
            "units",
            "choice",
            "zoom",
            "values",
            "chart",
            "panels",
            "lines",
            "events",
            "over-time",
            "distribution",
            "delays",
            "occupancy",
            "stage-stack",
            "page");

    private Assets() {}

    static String style() {
        return STYLES.stream().map(name -> read(name + ".css")).collect(Collectors.joining("\n"));
    }

    /** The page's own scripts as one that leaves no global name. */
    static String script() {
        return SCRIPTS.stream()
                .map(name -> read(name + ".js"))
                .collect(Collectors.joining("\n", "(() => {\n\"use strict\";\n", "})();\n"));
    }

    static String d3() {
        return read(d3Path("dist/d3.min.js"));
    }

    static String d3Licence() {
        return read(d3Path("LICENSE"));
    }

    private static String d3Path(String file) {
        Properties properties = new Properties();
        try (InputStream stream = open("/META-INF/maven/" + D3 + "/pom.properties")) {
            properties.load(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "/META-INF/resources/webjars/d3/" + properties.getProperty("version") + "/" + file;
    }

    private static String read(String path) {
        try (InputStream stream = open(path)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(String path) throws IOException {
        InputStream stream = Assets.class.getResourceAsStream(path);
        if (stream == null) {
            throw new IOException("There is no " + path + " on the class path.");
        }
        return stream;
    }
}
