package org.lagbench.report.chart;

import java.awt.geom.Rectangle2D;
import java.util.List;

/**
 * Box plots after Tukey, "Exploratory Data Analysis" (1977): the box spans the quartiles with a line at the median;
 * whiskers reach to the farthest values within 1.5 times the box's height.
 *
 * @param marks the marks of each box's further values, in the same order
 */
public record Boxes(Fill fill, List<Mark> marks, List<Box> boxes) implements Layer {
    private static final double WIDTH = 0.5;
    private static final LineStyle EDGE = LineStyle.solid(Palette.INK, 0.6);
    private static final LineStyle MEDIAN = LineStyle.solid(Palette.INK, 1.4);

    /**
     * One box. All values are in the unit of the axis.
     *
     * @param x its center
     * @param whiskerFrom the least value that is not an outlier
     * @param whiskerTo the greatest value that is not an outlier
     * @param marked further values
     */
    public record Box(
            String name,
            double x,
            double whiskerFrom,
            double lowerQuartile,
            double median,
            double upperQuartile,
            double whiskerTo,
            List<Double> marked) {}

    @Override
    public void paint(Canvas canvas, Frame frame) {
        for (Box box : boxes) {
            canvas.begin("box", box.name());
            Rectangle2D quartiles =
                    frame.rectangle(box.x() - WIDTH / 2, box.lowerQuartile(), box.x() + WIDTH / 2, box.upperQuartile());
            double middle = quartiles.getCenterX();
            double cap = quartiles.getWidth() / 4;
            double lower = frame.y(box.whiskerFrom());
            double upper = frame.y(box.whiskerTo());
            canvas.line(EDGE, middle, lower, middle, quartiles.getMaxY());
            canvas.line(EDGE, middle - cap, lower, middle + cap, lower);
            canvas.line(EDGE, middle, upper, middle, quartiles.getY());
            canvas.line(EDGE, middle - cap, upper, middle + cap, upper);
            fill.paint(canvas, quartiles);
            canvas.draw(EDGE, quartiles);
            canvas.line(MEDIAN, quartiles.getX(), frame.y(box.median()), quartiles.getMaxX(), frame.y(box.median()));
            for (int i = 0; i < box.marked().size(); i++) {
                marks.get(i).paint(canvas, middle, frame.y(box.marked().get(i)));
            }
            canvas.end();
        }
    }
}
