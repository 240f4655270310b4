package org.lagbench.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.report.chart.PlotColor;

/** The style and the script of every page. */
public final class Assets {
    private Assets() {}

    static String style() {
        return read(PlotColor.styleSheet(), "", "page.css", "tables.css", "charts.css", "print.css");
    }

    /** Returns one script without global names. */
    static String script() {
        return read(
                "(() => {\n\"use strict\";\n",
                "})();\n",
                "ticks.js",
                "axis.js",
                "drawing.js",
                "readout.js",
                "choice.js",
                "download.js",
                "chart.js",
                "sparklines.js",
                "page.js");
    }

    /** Returns the function {@code roundTicks} of axes, which other pages use too. */
    public static String ticksScript() {
        return resource("ticks.js");
    }

    private static String read(String prefix, String suffix, String... names) {
        return Stream.of(names).map(Assets::resource).collect(Collectors.joining("\n", prefix, suffix));
    }

    private static String resource(String name) {
        try (InputStream stream = Objects.requireNonNull(Assets.class.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
