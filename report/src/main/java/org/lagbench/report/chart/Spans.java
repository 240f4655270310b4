package org.lagbench.report.chart;

import java.awt.geom.Path2D;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Stretches of the horizontal axis in one lane, each wide enough to be seen.
 *
 * @param series the index of the lane's color
 * @param lane a category of the vertical axis, from 0
 */
public record Spans(String name, int series, int lane, List<Span> spans) implements Layer {
    private static final double MIN_WIDTH = 0.6;
    private static final double LANE_THICKNESS = 6.2;
    private static final double WORDS_GAP = 2;

    /**
     * An interval on the axis, in its unit.
     *
     * @param words the label beside it; "" for none
     */
    public record Span(double from, double to, String words) {
        private boolean hasWords() {
            return !words.isEmpty();
        }
    }

    @Override
    public void paint(Canvas canvas, Frame frame) {
        double minWidth = canvas.takesValues() ? 0 : MIN_WIDTH;
        Path2D path = new Path2D.Double();
        double y = frame.y(lane + 0.5);
        for (Span span : spans) {
            double x = frame.x(span.from());
            path.moveTo(x, y);
            path.lineTo(Math.max(x + minWidth, frame.x(span.to())), y);
        }
        canvas.begin("spans", name);
        if (canvas.takesValues() && spans.stream().anyMatch(Span::hasWords)) {
            canvas.attribute("data-words", spans.stream().map(Span::words).collect(Collectors.joining("|")));
        }
        canvas.draw(LineStyle.solid(Palette.ofSeries(series), LANE_THICKNESS), path);
        if (!canvas.takesValues()) {
            spans.stream().filter(Span::hasWords).forEach(span -> paintWords(canvas, frame, span, y));
        }
        canvas.end();
    }

    /** Writes the words on the side of the span where there is more room. */
    private static void paintWords(Canvas canvas, Frame frame, Span span, double y) {
        double from = frame.x(span.from());
        double to = Math.max(from + MIN_WIDTH, frame.x(span.to()));
        boolean isAfter = frame.area().getMaxX() - to >= from - frame.area().getX();
        canvas.text(
                span.words(),
                TextStyle.TICK,
                isAfter ? Canvas.Anchor.START : Canvas.Anchor.END,
                isAfter ? to + WORDS_GAP : from - WORDS_GAP,
                y + TextStyle.TICK.size() * 0.35);
    }
}
