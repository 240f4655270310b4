package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.List;

/** Measures texts. */
@FunctionalInterface
interface TextMeasure {
    /** An estimate for a page, whose font is unknown: the width of wide sans-serif fonts. */
    TextMeasure ESTIMATE = (text, style) -> text.length() * style.size() * 0.6;

    /** Returns the width of a text in points. */
    double width(String text, TextStyle style);

    /** Breaks a text into lines of at most that width; none if it is empty. */
    default List<String> wrap(String text, TextStyle style, double width) {
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String word : text.split(" ", -1)) {
            String longer = line.isEmpty() ? word : line + " " + word;
            if (!line.isEmpty() && width(longer, style) > width) {
                lines.add(line);
                line = word;
            } else {
                line = longer;
            }
        }
        if (!line.isEmpty()) {
            lines.add(line);
        }
        return lines;
    }
}
