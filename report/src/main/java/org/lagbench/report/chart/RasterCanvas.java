package org.lagbench.report.chart;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.lagbench.report.chart.Canvas.Anchor;

/** Draws pixels. */
final class RasterCanvas implements Canvas {
    private static final double POINTS_PER_INCH = 72;
    private static final double METERS_PER_INCH = 0.0254;

    private final BufferedImage image;
    private final int dotsPerInch;
    private final Typeface typeface;

    /** The graphics of each open group, with the group's clip. */
    private final Deque<Graphics2D> groups = new ArrayDeque<>();

    private Graphics2D graphics;

    RasterCanvas(double width, double height, int dotsPerInch, Typeface typeface) {
        double scale = dotsPerInch / POINTS_PER_INCH;
        this.dotsPerInch = dotsPerInch;
        this.typeface = typeface;
        this.image = new BufferedImage(
                (int) Math.ceil(width * scale), (int) Math.ceil(height * scale), BufferedImage.TYPE_INT_RGB);
        this.graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.scale(scale, scale);
        fill(PlotColor.PAPER, new Rectangle2D.Double(0, 0, width + 1, height + 1));
    }

    /** Ends the drawing and returns it as a PNG file that states its resolution. */
    byte[] finish() {
        graphics.dispose();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(bytes)) {
            IIOMetadata metadata =
                    writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(image), null);
            String pixelsPerMeter = Long.toString(Math.round(dotsPerInch / METERS_PER_INCH));
            IIOMetadataNode size = new IIOMetadataNode("pHYs");
            size.setAttribute("pixelsPerUnitXAxis", pixelsPerMeter);
            size.setAttribute("pixelsPerUnitYAxis", pixelsPerMeter);
            size.setAttribute("unitSpecifier", "meter");
            IIOMetadataNode root = new IIOMetadataNode(metadata.getNativeMetadataFormatName());
            root.appendChild(size);
            metadata.mergeTree(metadata.getNativeMetadataFormatName(), root);
            writer.setOutput(stream);
            writer.write(new IIOImage(image, null, metadata));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // writing to a byte array does not fail
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    @Override
    public void begin(String kind, String name) {
        groups.push(graphics);
        graphics = (Graphics2D) graphics.create();
    }

    @Override
    public void beginClipped(String kind, String name, Rectangle2D clip) {
        begin(kind, name);
        graphics.clip(clip);
    }

    @Override
    public void end() {
        graphics.dispose();
        graphics = groups.pop();
    }

    @Override
    public void draw(LineStyle style, Shape shape) {
        graphics.setColor(new Color(style.color().rgb()));
        graphics.setStroke(style.stroke());
        graphics.draw(shape);
    }

    @Override
    public void fill(PlotColor color, Shape shape) {
        graphics.setColor(new Color(color.rgb()));
        graphics.fill(shape);
    }

    @Override
    public void dots(PlotColor color, double diameter, List<Point2D> centers) {
        double radius = diameter / 2;
        centers.forEach(center ->
                fill(color, new Ellipse2D.Double(center.getX() - radius, center.getY() - radius, diameter, diameter)));
    }

    @Override
    public void text(String text, TextStyle style, Anchor anchor, double x, double y, boolean isUpward) {
        graphics.setFont(typeface.font(style));
        graphics.setColor(new Color(style.color().rgb()));
        double start = x - typeface.width(style, text) * anchor.fraction();
        AffineTransform before = graphics.getTransform();
        if (isUpward) {
            graphics.rotate(-Math.PI / 2, x, y);
        }
        graphics.drawString(text, (float) start, (float) y);
        graphics.setTransform(before);
    }
}
