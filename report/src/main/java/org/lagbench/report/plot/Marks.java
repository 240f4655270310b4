package org.lagbench.report.plot;

/** A mark at each of some points. */
public final class Marks extends Layer {
    private final String name;
    private final Mark mark;
    private final double[] x;
    private final double[] y;

    /**
     * Some points.
     *
     * @param name what they show
     * @param x of each point, in the unit of the axis
     * @param y of each point, as many
     */
    public Marks(String name, Mark mark, double[] x, double[] y) {
        this.name = name;
        this.mark = mark;
        this.x = x.clone();
        this.y = y.clone();
    }

    @Override
    void paint(Canvas canvas, Frame frame) {
        canvas.begin("marks", name);
        for (int i = 0; i < x.length; i++) {
            canvas.mark(mark, frame.x(x[i]), frame.y(y[i]));
        }
        canvas.end();
    }
}
