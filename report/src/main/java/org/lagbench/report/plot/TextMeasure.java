package org.lagbench.report.plot;

import java.util.ArrayList;
import java.util.List;

/** Knows how wide texts are. */
@FunctionalInterface
interface TextMeasure {
    /** For a page, whose reader has whatever font: about as wide as sans-serif fonts are. */
    TextMeasure ESTIMATE = (text, style) -> text.length() * style.size() * 0.57;

    /** Returns the width of a text in points. */
    double width(String text, TextStyle style);

    /** Breaks a text into lines of at most that width; none if it is empty. */
    default List<String> wrap(String text, TextStyle style, double width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && width(line + " " + word, style) > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        if (!line.isEmpty()) {
            lines.add(line.toString());
        }
        return lines;
    }
}
