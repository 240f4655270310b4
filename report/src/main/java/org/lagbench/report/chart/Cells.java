package org.lagbench.report.chart;

import java.awt.geom.Rectangle2D;
import java.util.List;

/** The labeled cells of a heat map over two axes of categories. */
public record Cells(List<Cell> cells) implements Layer {
    /** The color of the largest value; smaller ones are nearer to the background of the page. */
    private static final PlotColor STRONGEST = PlotColor.named("cell", 0x5FA3CE);

    private static final double MOST_GROUND = 0.92;
    private static final LineStyle EDGE = LineStyle.solid(PlotColor.INK, 0.3);
    private static final LineStyle FRAME = LineStyle.solid(PlotColor.INK, 1.8);

    /**
     * One cell.
     *
     * @param column its category on the horizontal axis, from 0
     * @param row its category on the vertical axis, from 0
     * @param shade from 0, the smallest value, to 1, the largest
     * @param isStruck whether it is hatched instead, because it breaks a constraint
     * @param isMarked whether it has a thick frame
     */
    public record Cell(int column, int row, double shade, String text, boolean isStruck, boolean isMarked) {
        private static String text(Axis axis, int category) {
            return axis.label() + "=" + axis.categories().get(category);
        }

        private Rectangle2D area(Frame frame) {
            return frame.rectangle(column, row, column + 1.0, row + 1.0);
        }
    }

    private static Fill struck() {
        return new Fill(PlotColor.PAPER, Fill.Hatch.FALLING);
    }

    /**
     * Returns a chart of cells.
     *
     * @param height of a row in points
     * @param struck what it means that a cell is struck out, for the legend
     */
    public static Chart chart(
            String title, Axis columns, Axis rows, double height, List<Cell> cells, String struck, List<String> notes) {
        return new Chart(
                title,
                columns.categories().size() > 5 ? Chart.TWO_COLUMNS : Chart.ONE_COLUMN,
                columns,
                List.of(Chart.Row.of(rows, height, List.of(new Cells(cells)))),
                cells.stream().anyMatch(Cell::isStruck) ? List.of(new Chart.Entry(struck, struck())) : List.of(),
                notes);
    }

    @Override
    public void paint(Canvas canvas, Frame frame) {
        for (Cell cell : cells) {
            canvas.begin("cell", cell.text());
            canvas.values(
                    () -> Cell.text(frame.vertical(), cell.row()) + "|" + Cell.text(frame.horizontal(), cell.column()));
            Rectangle2D area = cell.area(frame);
            Fill fill = cell.isStruck()
                    ? struck()
                    : new Fill(STRONGEST.lighter(MOST_GROUND * (1 - cell.shade())), Fill.Hatch.NONE);
            fill.paint(canvas, area);
            canvas.draw(EDGE, area);
            double middle = area.getCenterY();
            if (cell.isStruck() && !cell.text().isEmpty()) {
                // a band keeps the hatching off the text
                double height = TextStyle.TICK.leading();
                canvas.fill(
                        PlotColor.PAPER,
                        new Rectangle2D.Double(
                                area.getX() + EDGE.width() / 2,
                                middle - height / 2,
                                Math.max(0, area.getWidth() - EDGE.width()),
                                height));
            }
            canvas.text(
                    cell.text(),
                    TextStyle.TICK,
                    Canvas.Anchor.MIDDLE,
                    area.getCenterX(),
                    middle + TextStyle.TICK.size() * 0.35);
            canvas.end();
        }
        cells.stream().filter(Cell::isMarked).forEach(cell -> {
            canvas.begin("marked", cell.text());
            Rectangle2D area = cell.area(frame);
            double inset = FRAME.width() / 2;
            canvas.draw(
                    FRAME,
                    new Rectangle2D.Double(
                            area.getX() + inset,
                            area.getY() + inset,
                            area.getWidth() - 2 * inset,
                            area.getHeight() - 2 * inset));
            canvas.end();
        });
    }
}
