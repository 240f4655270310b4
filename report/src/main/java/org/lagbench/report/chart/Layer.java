package org.lagbench.report.chart;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A part of a panel's data. Later layers cover earlier ones. */
@FunctionalInterface
public interface Layer {
    /** Paints this layer; the canvas clips it to the panel. */
    void paint(Canvas canvas, Frame frame);

    /** Returns a layer that paints nothing, with data for the script of a page: what they are of, and their text. */
    static Layer data(String kind, String name, String text) {
        return (canvas, frame) -> {
            canvas.begin(kind, name);
            canvas.attribute("data-" + kind, text);
            canvas.end();
        };
    }

    /** Returns the numbers of the packets at the last points of a line, each as the difference from the one before. */
    static Layer packets(String line, List<Long> packets) {
        String steps = IntStream.range(0, packets.size())
                .mapToObj(i -> String.valueOf(packets.get(i) - (i == 0 ? 0 : packets.get(i - 1))))
                .collect(Collectors.joining(" "));
        return data("packets", line, steps);
    }
}
