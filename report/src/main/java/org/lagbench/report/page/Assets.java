package org.lagbench.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.lagbench.report.plot.Palette;

/** What stands in every page: its style and its script. */
final class Assets {
    /** In the order in which they need each other. */
    private static final List<String> STYLES = List.of("page", "tables", "charts", "print");

    private static final List<String> SCRIPTS = List.of("axis", "drawing", "choice", "chart", "page");

    private Assets() {}

    static String style() {
        return STYLES.stream().map(name -> read(name + ".css")).collect(Collectors.joining("\n", Palette.css(), ""));
    }

    /** The scripts as one that leaves no global name. */
    static String script() {
        return SCRIPTS.stream()
                .map(name -> read(name + ".js"))
                .collect(Collectors.joining("\n", "(() => {\n\"use strict\";\n", "})();\n"));
    }

    private static String read(String path) {
        try (InputStream stream = Assets.class.getResourceAsStream(path)) {
            if (stream == null) {
                throw new IOException("There is no " + path + " on the class path.");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
