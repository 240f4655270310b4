package org.lagbench.report.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** Draws pixels. */
final class RasterCanvas implements Canvas {
    private static final double POINTS_PER_INCH = 72;
    private static final float MITER_LIMIT = 10;

    private final BufferedImage image;
    private final Graphics2D graphics;
    private final Typeface typeface;

    /** The clip outside of each part that was begun; none where there was no clip. */
    private final Deque<Optional<Shape>> clips = new ArrayDeque<>();

    RasterCanvas(double width, double height, double dotsPerInch, Typeface typeface) {
        double scale = dotsPerInch / POINTS_PER_INCH;
        this.typeface = typeface;
        this.image = new BufferedImage(
                (int) Math.ceil(width * scale), (int) Math.ceil(height * scale), BufferedImage.TYPE_INT_RGB);
        this.graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.setColor(awt(Palette.PAPER));
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.scale(scale, scale);
    }

    /** Ends the drawing, which is what it returns. */
    BufferedImage finish() {
        graphics.dispose();
        return image;
    }

    @Override
    public void begin(String kind, String name) {
        clips.push(Optional.ofNullable(graphics.getClip()));
    }

    @Override
    public void beginClipped(String kind, String name, Rectangle within) {
        begin(kind, name);
        graphics.clip(shape(within));
    }

    @Override
    public void end() {
        graphics.setClip(clips.pop().orElse(null));
    }

    @Override
    public void lines(LineStyle style, double[] x, double[] y, int[] starts) {
        draw(style, path(x, y, starts));
    }

    @Override
    public void fill(PlotColor color, Rectangle rectangle) {
        graphics.setColor(awt(color));
        graphics.fill(shape(rectangle));
    }

    @Override
    public void outline(LineStyle style, Rectangle rectangle) {
        draw(style, shape(rectangle));
    }

    @Override
    public void dots(PlotColor color, double diameter, double[] x, double[] y) {
        graphics.setColor(awt(color));
        for (int i = 0; i < x.length; i++) {
            graphics.fill(new Ellipse2D.Double(x[i] - diameter / 2, y[i] - diameter / 2, diameter, diameter));
        }
    }

    @Override
    public void polygon(PlotColor color, double[] x, double[] y) {
        graphics.setColor(awt(color));
        graphics.fill(path(x, y, new int[] {0}));
    }

    @Override
    public void text(String text, TextStyle style, Anchor anchor, double x, double y, boolean isUpward) {
        graphics.setFont(typeface.font(style));
        graphics.setColor(awt(Palette.INK));
        double width = typeface.width(text, style);
        double start =
                switch (anchor) {
                    case START -> x;
                    case MIDDLE -> x - width / 2;
                    case END -> x - width;
                };
        AffineTransform before = graphics.getTransform();
        if (isUpward) {
            graphics.rotate(-Math.PI / 2, x, y);
        }
        graphics.drawString(text, (float) start, (float) y);
        graphics.setTransform(before);
    }

    private void draw(LineStyle style, Shape shape) {
        graphics.setColor(awt(style.color()));
        graphics.setStroke(stroke(style));
        graphics.draw(shape);
    }

    private static Color awt(PlotColor color) {
        return new Color(color.rgb());
    }

    private static BasicStroke stroke(LineStyle style) {
        float width = (float) style.width();
        if (style.dashes().isEmpty()) {
            return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND);
        }
        float[] dashes = new float[style.dashes().size()];
        for (int i = 0; i < dashes.length; i++) {
            dashes[i] = style.dashes().get(i).floatValue();
        }
        return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, MITER_LIMIT, dashes, 0);
    }

    private static Path2D path(double[] x, double[] y, int[] starts) {
        Path2D path = new Path2D.Double(Path2D.WIND_NON_ZERO, x.length);
        int line = 0;
        for (int i = 0; i < x.length; i++) {
            if (line < starts.length && i == starts[line]) {
                path.moveTo(x[i], y[i]);
                line++;
            } else {
                path.lineTo(x[i], y[i]);
            }
        }
        return path;
    }

    private static Rectangle2D shape(Rectangle rectangle) {
        return new Rectangle2D.Double(rectangle.x(), rectangle.y(), rectangle.width(), rectangle.height());
    }
}
