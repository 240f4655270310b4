package org.lagbench.report.chart;

import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.lagbench.report.chart.Canvas.Anchor;
import org.lagbench.report.chart.Chart.Column;
import org.lagbench.report.chart.Chart.Entry;
import org.lagbench.report.chart.Chart.Row;

/** Computes the layout of a chart and paints it. */
final class ChartPainter {
    private static final double MARGIN = 4;
    private static final double TICK = 3;
    private static final double MINOR_TICK = 1.8;
    private static final double MIN_COLUMN_GAP = 15;
    private static final double ROW_GAP = 8;
    private static final double PART_GAP = 5;
    private static final double SAMPLE_WIDTH = 18;
    private static final double ENTRY_GAP = 10;
    private static final double MIN_VERTICAL_TICK_DISTANCE = 20;
    private static final double MIN_LOGARITHMIC_TICK_DISTANCE = 9;
    private static final double MIN_HORIZONTAL_TICK_DISTANCE = 26;
    private static final double LABEL_GAP = 7;
    private static final double MIN_CATEGORY_GAP = 4;

    private final Chart chart;
    private final ToDoubleBiFunction<TextStyle, String> textWidth;
    private final List<String> title;
    private final List<String> notes;
    private final List<List<Entry>> legend;
    private final double left;
    private final double columnWidth;
    private final double columnGap;
    private final List<List<String>> columnTitles;
    private final boolean isTurned;
    private final double labelHeight;
    private final double panelsTop;
    private final double panelsBottom;

    /**
     * Computes the layout.
     *
     * @param textWidth returns the width of a text in points
     */
    ChartPainter(Chart chart, ToDoubleBiFunction<TextStyle, String> textWidth) {
        this.chart = chart;
        this.textWidth = textWidth;
        double width = chart.width() - 2 * MARGIN;
        title = wrap(chart.title(), TextStyle.TITLE, width);
        notes = chart.notes().stream()
                .flatMap(note -> wrap(note, TextStyle.CAPTION, width).stream())
                .toList();
        int titleLines = chart.rows().stream()
                .mapToInt(row -> verticalTitle(row.axis(), row.height()).size())
                .max()
                .orElse(0);
        double rowLabelWidth = chart.rows().stream()
                .mapToDouble(row -> maxWidth(verticalTicks(row.axis(), row.height())))
                .max()
                .orElse(0);
        left = MARGIN + titleLines * TextStyle.LABEL.leading() + 2 + rowLabelWidth + TICK + 2;
        legend = legendLines(chart.width() - MARGIN - left);
        int columns = chart.columns().size();
        columnGap = IntStream.range(1, columns)
                .mapToDouble(i -> overhang(chart.columns().get(i - 1), false)
                        + overhang(chart.columns().get(i), true)
                        + LABEL_GAP)
                .reduce(MIN_COLUMN_GAP, Math::max);
        double right = chart.width() - MARGIN - overhang(chart.columns().get(columns - 1), false);
        columnWidth = (right - left - (columns - 1) * columnGap) / columns;
        List<Axis> categories = chart.columns().stream()
                .map(Column::axis)
                .filter(Axis::isCategories)
                .toList();
        isTurned = categories.stream()
                .anyMatch(axis -> maxWidth(axis.ticks(columnWidth, 0))
                        > columnWidth / axis.categories().size() - MIN_CATEGORY_GAP);
        labelHeight = isTurned
                ? categories.stream()
                        .mapToDouble(axis -> maxWidth(axis.ticks(columnWidth, 0)))
                        .reduce(TextStyle.TICK.leading(), Math::max)
                : TextStyle.TICK.leading();
        columnTitles = chart.columns().stream()
                .map(column -> wrap(column.title(), TextStyle.PANEL, columnWidth + columnGap - LABEL_GAP))
                .toList();
        int columnTitleLines = columnTitles.stream().mapToInt(List::size).max().orElse(0);
        panelsTop = MARGIN
                + title.size() * TextStyle.TITLE.leading()
                + PART_GAP
                + columnTitleLines * TextStyle.PANEL.leading();
        panelsBottom = panelsTop
                - ROW_GAP
                + chart.rows().stream()
                        .mapToDouble(row -> row.height() + ROW_GAP)
                        .sum();
    }

    /** Returns the height of the whole chart in points. */
    double height() {
        return legendTop()
                + legend.size() * TextStyle.LABEL.leading()
                + (legend.isEmpty() ? 0 : PART_GAP)
                + notes.size() * TextStyle.CAPTION.leading()
                + MARGIN;
    }

    private double legendTop() {
        return panelsBottom + TICK + labelHeight + TextStyle.LABEL.leading() + PART_GAP;
    }

    void paint(Canvas canvas) {
        double baseline = MARGIN;
        for (String line : title) {
            baseline += TextStyle.TITLE.leading();
            canvas.text(line, TextStyle.TITLE, Anchor.START, MARGIN, baseline - 2);
        }
        double top = panelsTop;
        for (int r = 0; r < chart.rows().size(); r++) {
            Row row = chart.rows().get(r);
            for (int c = 0; c < chart.columns().size(); c++) {
                Column column = chart.columns().get(c);
                Rectangle2D area =
                        new Rectangle2D.Double(left + c * (columnWidth + columnGap), top, columnWidth, row.height());
                boolean isLowest = r == chart.rows().size() - 1;
                paintPanel(canvas, row.panels().get(c), new Frame(area, column.axis(), row.axis()), c == 0, isLowest);
                if (r == 0) {
                    paintColumnTitle(canvas, columnTitles.get(c), area.getCenterX(), top - 4);
                }
            }
            top += row.height() + ROW_GAP;
        }
        double y = paintLegend(canvas, legendTop());
        for (String line : notes) {
            y += TextStyle.CAPTION.leading();
            canvas.text(line, TextStyle.CAPTION, Anchor.START, MARGIN, y - 2);
        }
    }

    private static void paintColumnTitle(Canvas canvas, List<String> lines, double x, double lastBaseline) {
        double baseline = lastBaseline - lines.size() * TextStyle.PANEL.leading();
        for (String line : lines) {
            baseline += TextStyle.PANEL.leading();
            canvas.text(line, TextStyle.PANEL, Anchor.MIDDLE, x, baseline);
        }
    }

    private void paintPanel(Canvas canvas, List<Layer> panel, Frame frame, boolean isLeftmost, boolean isLowest) {
        Rectangle2D area = frame.area();
        canvas.begin("panel", "");
        canvas.begin("grid", "");
        for (boolean isHorizontal : new boolean[] {true, false}) {
            if (!(isHorizontal ? frame.horizontal() : frame.vertical()).isCategories()) {
                double length = isHorizontal ? area.getHeight() : area.getWidth();
                ticks(frame, isHorizontal)
                        .forEach(tick -> stub(canvas, LineStyle.GRID, frame, isHorizontal, tick.value(), -length));
            }
        }
        canvas.end();
        canvas.beginClipped("data", "", area);
        panel.forEach(layer -> layer.paint(canvas, frame));
        canvas.end();
        canvas.draw(LineStyle.FRAME, area);
        paintAxis(canvas, frame, true, isLowest);
        paintAxis(canvas, frame, false, isLeftmost);
        canvas.end();
    }

    private void paintAxis(Canvas canvas, Frame frame, boolean isHorizontal, boolean isLabeled) {
        Rectangle2D area = frame.area();
        Axis axis = isHorizontal ? frame.horizontal() : frame.vertical();
        canvas.begin(isHorizontal ? "axis-x" : "axis-y", axis.label());
        canvas.attribute("data-from", Double.toString(axis.from()));
        canvas.attribute("data-to", Double.toString(axis.to()));
        canvas.attribute("data-scale", axis.scale().text());
        for (Axis.Tick tick : ticks(frame, isHorizontal)) {
            if (!axis.isCategories()) {
                stub(canvas, LineStyle.FRAME, frame, isHorizontal, tick.value(), TICK);
            }
            if (isLabeled && isHorizontal) {
                paintLabel(canvas, tick, frame.x(tick.value()), area.getMaxY() + TICK);
            } else if (isLabeled) {
                double y = frame.y(tick.value()) + TextStyle.TICK.size() * 0.35;
                canvas.text(tick.label(), TextStyle.TICK, Anchor.END, area.getX() - TICK - 2, y);
            }
        }
        axis.minorTicks(isHorizontal ? area.getWidth() : area.getHeight())
                .forEach(value -> stub(canvas, LineStyle.MINOR_TICK, frame, isHorizontal, value, MINOR_TICK));
        if (isLabeled && isHorizontal) {
            double y = area.getMaxY() + TICK + labelHeight + TextStyle.LABEL.size();
            canvas.text(axis.label(), TextStyle.LABEL, Anchor.MIDDLE, area.getCenterX(), y);
        } else if (isLabeled) {
            double x = MARGIN + TextStyle.LABEL.size();
            for (String line : verticalTitle(axis, area.getHeight())) {
                canvas.text(line, TextStyle.LABEL, Anchor.MIDDLE, x, area.getCenterY(), true);
                x += TextStyle.LABEL.leading();
            }
        }
        canvas.end();
    }

    /** Writes a label below a horizontal axis, upward if the labels of a chart have no room side by side. */
    private void paintLabel(Canvas canvas, Axis.Tick tick, double x, double top) {
        if (isTurned) {
            double baseline = x + TextStyle.TICK.size() * 0.35;
            canvas.text(tick.label(), TextStyle.TICK, Anchor.END, baseline, top, true);
        } else {
            canvas.text(tick.label(), TextStyle.TICK, Anchor.MIDDLE, x, top + TextStyle.TICK.size());
        }
    }

    /** Draws a line from an axis outward; inward if the length is negative. */
    private static void stub(
            Canvas canvas, LineStyle style, Frame frame, boolean isHorizontal, double value, double length) {
        double x = isHorizontal ? frame.x(value) : frame.area().getX();
        double y = isHorizontal ? frame.area().getMaxY() : frame.y(value);
        canvas.line(style, x, y, isHorizontal ? x : x - length, isHorizontal ? y + length : y);
    }

    private List<Axis.Tick> ticks(Frame frame, boolean isHorizontal) {
        Axis axis = isHorizontal ? frame.horizontal() : frame.vertical();
        return isHorizontal
                ? horizontalTicks(axis, frame.area().getWidth())
                : verticalTicks(axis, frame.area().getHeight());
    }

    /** Returns as many ticks as have room for their labels side by side. */
    private List<Axis.Tick> horizontalTicks(Axis axis, double length) {
        double distance = MIN_HORIZONTAL_TICK_DISTANCE;
        while (true) {
            List<Axis.Tick> ticks = axis.ticks(length, distance);
            double needed = LABEL_GAP + maxWidth(ticks);
            if (axis.isCategories() || needed <= distance) {
                return ticks;
            }
            distance = needed;
        }
    }

    private static List<Axis.Tick> verticalTicks(Axis axis, double length) {
        return axis.ticks(length, axis.isLogarithmic() ? MIN_LOGARITHMIC_TICK_DISTANCE : MIN_VERTICAL_TICK_DISTANCE);
    }

    private double maxWidth(List<Axis.Tick> ticks) {
        return ticks.stream()
                .mapToDouble(tick -> textWidth.applyAsDouble(TextStyle.TICK, tick.label()))
                .max()
                .orElse(0);
    }

    private double paintLegend(Canvas canvas, double top) {
        double y = top;
        canvas.begin("legend", "");
        for (List<Entry> line : legend) {
            y += TextStyle.LABEL.leading();
            double x = left;
            for (Entry entry : line) {
                entry.sample().paintSample(canvas, x, y - 2 - TextStyle.LABEL.size() * 0.35, SAMPLE_WIDTH);
                canvas.text(entry.label(), TextStyle.LABEL, Anchor.START, x + SAMPLE_WIDTH + 3, y - 2);
                x += entryWidth(entry);
            }
        }
        canvas.end();
        return legend.isEmpty() ? y : y + PART_GAP;
    }

    private List<List<Entry>> legendLines(double width) {
        List<List<Entry>> lines = new ArrayList<>();
        double used = Double.POSITIVE_INFINITY;
        for (Entry entry : chart.legend()) {
            if (used + entryWidth(entry) - ENTRY_GAP > width) {
                lines.add(new ArrayList<>());
                used = 0;
            }
            lines.get(lines.size() - 1).add(entry);
            used += entryWidth(entry);
        }
        return lines;
    }

    private double entryWidth(Entry entry) {
        return SAMPLE_WIDTH + 3 + textWidth.applyAsDouble(TextStyle.LABEL, entry.label()) + ENTRY_GAP;
    }

    private List<String> verticalTitle(Axis axis, double height) {
        return wrap(axis.label(), TextStyle.LABEL, height);
    }

    /** Breaks a text into lines of at most that width; none if it is empty. */
    private List<String> wrap(String text, TextStyle style, double width) {
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String word : text.split(" ", -1)) {
            String longer = line.isEmpty() ? word : line + " " + word;
            if (!line.isEmpty() && textWidth.applyAsDouble(style, longer) > width) {
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

    /** Returns how far the labels of a horizontal axis extend beyond its left or right end. */
    private double overhang(Column column, boolean isAtLeft) {
        Axis axis = column.axis();
        double width = chart.width() / chart.columns().size();
        double overhang = 0;
        for (Axis.Tick tick : axis.isCategories() ? List.<Axis.Tick>of() : horizontalTicks(axis, width)) {
            double half = textWidth.applyAsDouble(TextStyle.TICK, tick.label()) / 2;
            double fromEnd = isAtLeft ? axis.place(tick.value()) : 1 - axis.place(tick.value());
            overhang = Math.max(overhang, half - fromEnd * width);
        }
        return overhang;
    }
}
