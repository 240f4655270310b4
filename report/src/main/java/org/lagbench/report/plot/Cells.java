package org.lagbench.report.plot;

import java.util.List;

/** The cells of a heat map over two axes of categories: the darker the more, with what it is written in each. */
public final class Cells extends Layer {
    private static final int LIGHT = 0xF2F7FB;
    private static final int DARK = 0x5FA3CE;
    private static final LineStyle EDGE = LineStyle.solid(Palette.INK, 0.3);
    private static final LineStyle FRAME = LineStyle.solid(Palette.INK, 1.8);

    /**
     * One cell.
     *
     * @param column its category on the horizontal axis, from 0
     * @param row its category on the vertical axis, from 0
     * @param shade from 0 to 1, light to dark
     * @param text what is written in it
     * @param isStruck whether it is out of the question: left white, and hatched
     * @param isMarked whether it has a thick frame
     */
    public record Cell(int column, int row, double shade, String text, boolean isStruck, boolean isMarked) {}

    private final List<Cell> cells;

    /** Some cells. */
    public Cells(List<Cell> cells) {
        this.cells = List.copyOf(cells);
    }

    /** How a struck cell is filled, for the legend. */
    public static Fill struck() {
        return new Fill(Palette.PAPER, Fill.Hatch.FALLING);
    }

    @Override
    void paint(Canvas canvas, Frame frame) {
        for (Cell cell : cells) {
            canvas.begin("cell", cell.text());
            Rectangle area = Rectangle.between(
                    frame.x(cell.column()),
                    frame.y(cell.row()),
                    frame.x(cell.column() + 1.0),
                    frame.y(cell.row() + 1.0));
            Fill fill = cell.isStruck()
                    ? struck()
                    : new Fill(PlotColor.fixed(PlotColor.between(LIGHT, DARK, cell.shade())), Fill.Hatch.NONE);
            fill.paint(canvas, area);
            canvas.outline(EDGE, area);
            double middle = area.y() + area.height() / 2;
            if (cell.isStruck() && !cell.text().isEmpty()) {
                // so that the lines do not run through the text
                double height = TextStyle.TICK.leading();
                canvas.fill(
                        Palette.PAPER,
                        new Rectangle(
                                area.x() + EDGE.width() / 2,
                                middle - height / 2,
                                Math.max(0, area.width() - EDGE.width()),
                                height));
            }
            canvas.text(
                    cell.text(),
                    TextStyle.TICK,
                    Canvas.Anchor.MIDDLE,
                    area.x() + area.width() / 2,
                    middle + TextStyle.TICK.size() * 0.35);
            canvas.end();
        }
        cells.stream().filter(Cell::isMarked).forEach(cell -> {
            canvas.begin("marked", cell.text());
            canvas.outline(
                    FRAME,
                    Rectangle.between(
                            frame.x(cell.column()),
                            frame.y(cell.row()),
                            frame.x(cell.column() + 1.0),
                            frame.y(cell.row() + 1.0)));
            canvas.end();
        });
    }
}
