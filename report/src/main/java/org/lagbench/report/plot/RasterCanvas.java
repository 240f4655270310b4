package org.lagbench.report.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
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
    /** Of the lines of marks, in points. */
    static final double MARK_LINE = 0.7;

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
        graphics.setColor(Palette.PAPER);
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
    public void line(LineStyle style, double[] x, double[] y) {
        if (x.length == 0) {
            return;
        }
        Path2D path = new Path2D.Double(Path2D.WIND_NON_ZERO, x.length);
        path.moveTo(x[0], y[0]);
        for (int i = 1; i < x.length; i++) {
            path.lineTo(x[i], y[i]);
        }
        draw(style, path);
    }

    @Override
    public void fill(Color colour, Rectangle rectangle) {
        graphics.setColor(colour);
        graphics.fill(shape(rectangle));
    }

    @Override
    public void outline(LineStyle style, Rectangle rectangle) {
        draw(style, shape(rectangle));
    }

    @Override
    public void dots(Color colour, double diameter, double[] x, double[] y) {
        graphics.setColor(colour);
        for (int i = 0; i < x.length; i++) {
            graphics.fill(new Ellipse2D.Double(x[i] - diameter / 2, y[i] - diameter / 2, diameter, diameter));
        }
    }

    @Override
    public void mark(Mark mark, double x, double y) {
        double half = mark.size() / 2;
        switch (mark.shape()) {
            case TRIANGLE -> fill(mark, polygon(x, y - half, x + half, y + half, x - half, y + half));
            case DIAMOND -> fill(mark, polygon(x, y - half, x + half, y, x, y + half, x - half, y));
            case CROSS -> {
                stroke(mark, x - half, y - half, x + half, y + half);
                stroke(mark, x - half, y + half, x + half, y - half);
            }
            case DASH -> stroke(mark, x - half, y, x + half, y);
        }
    }

    @Override
    public void text(String text, TextStyle style, Anchor anchor, double x, double y) {
        Font font = typeface.font(style);
        graphics.setFont(font);
        graphics.setColor(Palette.INK);
        double width = typeface.width(text, style);
        double start =
                switch (anchor) {
                    case START -> x;
                    case MIDDLE -> x - width / 2;
                    case END -> x - width;
                };
        graphics.drawString(text, (float) start, (float) y);
    }

    @Override
    public void textUpward(String text, TextStyle style, Anchor anchor, double x, double y) {
        AffineTransform before = graphics.getTransform();
        graphics.rotate(-Math.PI / 2, x, y);
        text(text, style, anchor, x, y);
        graphics.setTransform(before);
    }

    private void fill(Mark mark, Shape shape) {
        graphics.setColor(mark.colour());
        graphics.fill(shape);
    }

    private void stroke(Mark mark, double fromX, double fromY, double toX, double toY) {
        line(LineStyle.solid(mark.colour(), MARK_LINE), fromX, fromY, toX, toY);
    }

    private void draw(LineStyle style, Shape shape) {
        graphics.setColor(style.colour());
        graphics.setStroke(stroke(style));
        graphics.draw(shape);
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

    private static Shape polygon(double... corners) {
        Path2D path = new Path2D.Double();
        path.moveTo(corners[0], corners[1]);
        for (int i = 2; i < corners.length; i += 2) {
            path.lineTo(corners[i], corners[i + 1]);
        }
        path.closePath();
        return path;
    }

    private static Rectangle2D shape(Rectangle rectangle) {
        return new Rectangle2D.Double(rectangle.x(), rectangle.y(), rectangle.width(), rectangle.height());
    }
}
