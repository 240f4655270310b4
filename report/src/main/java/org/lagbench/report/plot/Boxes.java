package org.lagbench.report.plot;

import java.util.List;

/**
 * Box plots as of Tukey, "Exploratory Data Analysis" (1977): the box from the lower to the upper quartile with a line
 * at the median, whiskers to the farthest values within 1.5 times the box's height of it; and marks at given values.
 */
public final class Boxes extends Layer {
    private static final double WIDTH = 0.5;
    private static final LineStyle EDGE = LineStyle.solid(Palette.INK, 0.6);
    private static final LineStyle MEDIAN = LineStyle.solid(Palette.INK, 1.4);

    /**
     * One box, all values in the unit of the axis.
     *
     * @param name what it shows
     * @param x where its middle is
     * @param whiskerFrom the least value that is no outlier
     * @param lowerQuartile the 25 % quantile
     * @param median the 50 % quantile
     * @param upperQuartile the 75 % quantile
     * @param whiskerTo the greatest value that is no outlier
     * @param marks at other values, in the order of the shapes
     */
    public record Box(
            String name,
            double x,
            double whiskerFrom,
            double lowerQuartile,
            double median,
            double upperQuartile,
            double whiskerTo,
            List<Double> marks) {
        public Box {
            marks = List.copyOf(marks);
        }
    }

    private final Fill fill;
    private final List<Mark> marks;
    private final List<Box> boxes;

    /**
     * Some boxes.
     *
     * @param marks how the marks of each box are drawn, in their order
     */
    public Boxes(Fill fill, List<Mark> marks, List<Box> boxes) {
        this.fill = fill;
        this.marks = List.copyOf(marks);
        this.boxes = List.copyOf(boxes);
    }

    @Override
    void paint(Canvas canvas, Frame frame) {
        for (Box box : boxes) {
            canvas.begin("box", box.name());
            double left = frame.x(box.x() - WIDTH / 2);
            double right = frame.x(box.x() + WIDTH / 2);
            double middle = frame.x(box.x());
            double cap = (right - left) / 4;
            for (double[] whisker :
                    new double[][] {{box.whiskerFrom(), box.lowerQuartile()}, {box.whiskerTo(), box.upperQuartile()}}) {
                double end = frame.y(whisker[0]);
                canvas.line(EDGE, middle, end, middle, frame.y(whisker[1]));
                canvas.line(EDGE, middle - cap, end, middle + cap, end);
            }
            Rectangle quartiles =
                    Rectangle.between(left, frame.y(box.lowerQuartile()), right, frame.y(box.upperQuartile()));
            fill.paint(canvas, quartiles);
            canvas.outline(EDGE, quartiles);
            canvas.line(MEDIAN, left, frame.y(box.median()), right, frame.y(box.median()));
            for (int i = 0; i < box.marks().size(); i++) {
                canvas.mark(marks.get(i), middle, frame.y(box.marks().get(i)));
            }
            canvas.end();
        }
    }
}
