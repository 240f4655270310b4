package org.lagbench.report.plot;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.report.plot.Canvas.Anchor;
import org.lagbench.report.plot.Chart.Column;
import org.lagbench.report.plot.Chart.Entry;
import org.lagbench.report.plot.Chart.Panel;
import org.lagbench.report.plot.Chart.Row;

/** Sets out a chart on paper and draws it. */
final class ChartPainter {
    private static final double MARGIN = 4;
    private static final double TICK = 3;
    private static final double MINOR_TICK = 1.8;
    private static final double LEAST_BETWEEN_COLUMNS = 15;
    private static final double BETWEEN_ROWS = 8;
    private static final double BETWEEN_PARTS = 5;
    private static final double SAMPLE_WIDTH = 18;
    private static final double BETWEEN_ENTRIES = 10;
    private static final double LABELS_APART = 20;
    private static final double LABELS_APART_ACROSS = 26;
    private static final double LINES_APART = 9;
    private static final double BETWEEN_LABELS = 7;

    private final Chart chart;
    private final TextMeasure measure;
    private final List<String> title;
    private final List<String> notes = new ArrayList<>();
    private final List<List<Entry>> legend;
    private final double left;
    private final double right;
    private final double betweenColumns;

    /**
     * Sets out a chart.
     *
     * @param leastLeft where the panels begin at least, so that those of several charts can begin at one place
     */
    ChartPainter(Chart chart, TextMeasure measure, double leastLeft) {
        this.chart = chart;
        this.measure = measure;
        double width = chart.width() - 2 * MARGIN;
        this.title = measure.wrap(chart.title(), TextStyle.TITLE, width);
        chart.notes().forEach(note -> notes.addAll(measure.wrap(note, TextStyle.CAPTION, width)));
        this.legend = legendLines(width);
        this.left = Math.max(
                leastLeft, MARGIN + verticalTitleLines() * TextStyle.LABEL.leading() + 2 + widestRowLabel() + TICK + 2);
        this.right = chart.width()
                - MARGIN
                - beyond(chart.columns().get(chart.columns().size() - 1), false);
        this.betweenColumns = betweenColumns();
    }

    /** Where the panels begin. */
    double left() {
        return left;
    }

    /** The height of all of it in points. */
    double height() {
        return panelsBottom() + belowPanels();
    }

    void paint(Canvas canvas) {
        double baseline = MARGIN;
        for (String line : title) {
            baseline += TextStyle.TITLE.leading();
            canvas.text(line, TextStyle.TITLE, Anchor.START, MARGIN, baseline - 2);
        }
        double top = panelsTop();
        for (int r = 0; r < chart.rows().size(); r++) {
            Row row = chart.rows().get(r);
            for (int c = 0; c < chart.columns().size(); c++) {
                Rectangle area = new Rectangle(columnLeft(c), top, columnWidth(), row.height());
                boolean lowest = r == chart.rows().size() - 1;
                panel(
                        canvas,
                        row.panels().get(c),
                        new Frame(area, chart.columns().get(c).axis(), row.axis()),
                        c == 0,
                        lowest || canvas.takesValues());
                if (r == 0) {
                    canvas.text(
                            chart.columns().get(c).title(),
                            TextStyle.PANEL,
                            Anchor.MIDDLE,
                            area.x() + area.width() / 2,
                            top - 4);
                }
            }
            top += row.height() + BETWEEN_ROWS;
        }
        double y = panelsBottom() + TICK + TextStyle.TICK.leading() + TextStyle.LABEL.leading() + BETWEEN_PARTS;
        y = paintLegend(canvas, y);
        for (String line : notes) {
            y += TextStyle.CAPTION.leading();
            canvas.text(line, TextStyle.CAPTION, Anchor.START, MARGIN, y - 2);
        }
    }

    private void panel(Canvas canvas, Panel panel, Frame frame, boolean leftmost, boolean lowest) {
        Rectangle area = frame.area();
        canvas.begin("panel", "");
        if (canvas.takesValues()) {
            canvas.attribute("data-area", area.x() + " " + area.y() + " " + area.width() + " " + area.height());
        }
        grid(canvas, frame);
        canvas.beginClipped("data", "", area);
        Frame data = canvas.takesValues() ? Frame.VALUES : frame;
        panel.layers().forEach(layer -> layer.paint(canvas, data));
        canvas.end();
        canvas.outline(LineStyle.FRAME, area);
        axis(canvas, frame, true, lowest);
        axis(canvas, frame, false, leftmost);
        canvas.end();
    }

    private void grid(Canvas canvas, Frame frame) {
        Rectangle area = frame.area();
        canvas.begin("grid", "");
        for (boolean isHorizontal : new boolean[] {true, false}) {
            Axis axis = isHorizontal ? frame.horizontal() : frame.vertical();
            for (Axis.Tick tick : axis.isCategories() ? List.<Axis.Tick>of() : ticks(canvas, frame, isHorizontal)) {
                double x = frame.x(tick.value());
                double y = frame.y(tick.value());
                if (isHorizontal) {
                    canvas.line(LineStyle.GRID, x, area.y(), x, area.bottom());
                } else {
                    canvas.line(LineStyle.GRID, area.x(), y, area.right(), y);
                }
            }
        }
        canvas.end();
    }

    private void axis(Canvas canvas, Frame frame, boolean isHorizontal, boolean isLabeled) {
        Rectangle area = frame.area();
        Axis axis = isHorizontal ? frame.horizontal() : frame.vertical();
        canvas.begin(isHorizontal ? "axis-x" : "axis-y", axis.label());
        canvas.attribute("data-from", Double.toString(axis.from()));
        canvas.attribute("data-to", Double.toString(axis.to()));
        canvas.attribute("data-scale", axis.scaleName());
        for (Axis.Tick tick : ticks(canvas, frame, isHorizontal)) {
            if (!axis.isCategories()) {
                stub(canvas, LineStyle.FRAME, frame, isHorizontal, tick.value(), TICK);
            }
            if (isLabeled && isHorizontal) {
                double y = area.bottom() + TICK + TextStyle.TICK.size();
                canvas.text(tick.label(), TextStyle.TICK, Anchor.MIDDLE, frame.x(tick.value()), y);
            } else if (isLabeled) {
                double baseline = frame.y(tick.value()) + TextStyle.TICK.size() * 0.35;
                canvas.text(tick.label(), TextStyle.TICK, Anchor.END, area.x() - TICK - 2, baseline);
            }
        }
        if (!canvas.takesValues()) {
            axis.minorTicks(isHorizontal ? area.width() : area.height())
                    .forEach(value -> stub(canvas, LineStyle.MINOR_TICK, frame, isHorizontal, value, MINOR_TICK));
        }
        if (isLabeled && isHorizontal) {
            double y = area.bottom() + TICK + TextStyle.TICK.leading() + TextStyle.LABEL.size();
            canvas.text(axis.label(), TextStyle.LABEL, Anchor.MIDDLE, area.x() + area.width() / 2, y);
        } else if (isLabeled) {
            double x = MARGIN + TextStyle.LABEL.size();
            for (String line : verticalTitle(axis, area.height())) {
                canvas.text(line, TextStyle.LABEL, Anchor.MIDDLE, x, area.y() + area.height() / 2, true);
                x += TextStyle.LABEL.leading();
            }
        }
        canvas.end();
    }

    /** A short line outward from the frame. */
    private static void stub(
            Canvas canvas, LineStyle style, Frame frame, boolean isHorizontal, double value, double length) {
        Rectangle area = frame.area();
        if (isHorizontal) {
            double x = frame.x(value);
            canvas.line(style, x, area.bottom(), x, area.bottom() + length);
        } else {
            double y = frame.y(value);
            canvas.line(style, area.x() - length, y, area.x(), y);
        }
    }

    /** None if whoever places the values makes them: those of values change with what is in view. */
    private List<Axis.Tick> ticks(Canvas canvas, Frame frame, boolean isHorizontal) {
        Axis axis = isHorizontal ? frame.horizontal() : frame.vertical();
        if (canvas.takesValues() && !axis.isCategories()) {
            return List.of();
        }
        return isHorizontal
                ? horizontalTicks(axis, frame.area().width())
                : verticalTicks(axis, frame.area().height());
    }

    /** As many as there is room for their labels side by side. */
    private List<Axis.Tick> horizontalTicks(Axis axis, double length) {
        double apart = LABELS_APART_ACROSS;
        while (true) {
            List<Axis.Tick> ticks = axis.ticks(length, apart);
            double needed = BETWEEN_LABELS
                    + ticks.stream()
                            .mapToDouble(tick -> measure.width(tick.label(), TextStyle.TICK))
                            .max()
                            .orElse(0);
            if (axis.isCategories() || needed <= apart) {
                return ticks;
            }
            apart = needed;
        }
    }

    private static List<Axis.Tick> verticalTicks(Axis axis, double length) {
        return axis.ticks(length, axis.isLogarithmic() ? LINES_APART : LABELS_APART);
    }

    private double paintLegend(Canvas canvas, double top) {
        double y = top;
        canvas.begin("legend", "");
        for (List<Entry> line : legend) {
            y += TextStyle.LABEL.leading();
            double x = left;
            for (Entry entry : line) {
                double middle = y - 2 - TextStyle.LABEL.size() * 0.35;
                sample(canvas, entry.sample(), x, middle);
                canvas.text(entry.label(), TextStyle.LABEL, Anchor.START, x + SAMPLE_WIDTH + 3, y - 2);
                x += entryWidth(entry);
            }
        }
        canvas.end();
        return legend.isEmpty() ? y : y + BETWEEN_PARTS;
    }

    private static void sample(Canvas canvas, Sample sample, double x, double y) {
        if (sample instanceof LineStyle line) {
            canvas.line(line, x, y, x + SAMPLE_WIDTH, y);
        } else if (sample instanceof Mark mark) {
            canvas.mark(mark, x + SAMPLE_WIDTH / 2, y);
        } else if (sample instanceof Fill fill) {
            Rectangle area = new Rectangle(x + SAMPLE_WIDTH / 4, y - 3, SAMPLE_WIDTH * 0.75, 6);
            fill.paint(canvas, area);
            canvas.outline(LineStyle.MINOR_TICK, area);
        }
    }

    private List<List<Entry>> legendLines(double width) {
        List<List<Entry>> lines = new ArrayList<>();
        double used = Double.POSITIVE_INFINITY;
        for (Entry entry : chart.legend()) {
            double needed = entryWidth(entry);
            if (used + needed > width * 0.9) {
                lines.add(new ArrayList<>());
                used = 0;
            }
            lines.get(lines.size() - 1).add(entry);
            used += needed;
        }
        return lines;
    }

    private double entryWidth(Entry entry) {
        return SAMPLE_WIDTH + 3 + measure.width(entry.label(), TextStyle.LABEL) + BETWEEN_ENTRIES;
    }

    /** In as many lines as the height of the axis needs. */
    private List<String> verticalTitle(Axis axis, double height) {
        return measure.wrap(axis.label(), TextStyle.LABEL, height);
    }

    private int verticalTitleLines() {
        return chart.rows().stream()
                .mapToInt(row -> verticalTitle(row.axis(), row.height()).size())
                .max()
                .orElse(0);
    }

    private double widestRowLabel() {
        double widest = 0;
        for (Row row : chart.rows()) {
            for (Axis.Tick tick : verticalTicks(row.axis(), row.height())) {
                widest = Math.max(widest, measure.width(tick.label(), TextStyle.TICK));
            }
        }
        return widest;
    }

    /** How far the label of a tick at the right end of an axis goes beyond it; at the left end if that is asked for. */
    private double beyond(Column column, boolean atLeft) {
        Axis axis = column.axis();
        if (axis.isCategories()) {
            return 0;
        }
        double width = chart.width() / chart.columns().size();
        double beyond = 0;
        for (Axis.Tick tick : horizontalTicks(axis, width)) {
            double half = measure.width(tick.label(), TextStyle.TICK) / 2;
            double fromEnd = atLeft ? axis.place(tick.value()) : 1 - axis.place(tick.value());
            beyond = Math.max(beyond, half - fromEnd * width);
        }
        return beyond;
    }

    /** So much that the labels of neighbours do not touch. */
    private double betweenColumns() {
        double between = LEAST_BETWEEN_COLUMNS;
        for (int i = 1; i < chart.columns().size(); i++) {
            double needed = beyond(chart.columns().get(i - 1), false)
                    + beyond(chart.columns().get(i), true);
            between = Math.max(between, needed + BETWEEN_LABELS);
        }
        return between;
    }

    private double panelsTop() {
        boolean titled = chart.columns().stream().map(Column::title).anyMatch(text -> !text.isEmpty());
        return MARGIN
                + title.size() * TextStyle.TITLE.leading()
                + BETWEEN_PARTS
                + (titled ? TextStyle.PANEL.leading() : 0);
    }

    private double panelsBottom() {
        double bottom = panelsTop() - BETWEEN_ROWS;
        for (Row row : chart.rows()) {
            bottom += row.height() + BETWEEN_ROWS;
        }
        return bottom;
    }

    private double belowPanels() {
        return TICK
                + TextStyle.TICK.leading()
                + TextStyle.LABEL.leading()
                + BETWEEN_PARTS
                + legend.size() * TextStyle.LABEL.leading()
                + (legend.isEmpty() ? 0 : BETWEEN_PARTS)
                + notes.size() * TextStyle.CAPTION.leading()
                + MARGIN;
    }

    private double columnLeft(int column) {
        return left + column * (columnWidth() + betweenColumns);
    }

    private double columnWidth() {
        int columns = chart.columns().size();
        return (right - left - (columns - 1) * betweenColumns) / columns;
    }
}
