package org.lagbench.report.chart;

import java.awt.Shape;
import java.awt.geom.PathIterator;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.lagbench.core.failure.UntrustedText;

/**
 * Draws SVG 1.1, as a file or as an element of a page. Positions are rounded to 0.01 points. Texts stay texts, placed
 * by their anchor, so that they are in place in any font. Equal drawings give equal text.
 */
final class SvgCanvas implements Canvas {
    private final StringBuilder svg = new StringBuilder();
    private final boolean isInPage;
    private final String idPrefix;
    private int clips;

    /** Whether attributes can be added to the element begun last. */
    private boolean isTagOpen;

    private SvgCanvas(boolean isInPage, String idPrefix) {
        this.isInPage = isInPage;
        this.idPrefix = idPrefix;
    }

    /** Begins a file. */
    static SvgCanvas file(double width, double height, String title, String description, Typeface typeface) {
        SvgCanvas canvas = new SvgCanvas(false, "");
        canvas.svg.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        canvas.beginSvg(width, height);
        canvas.attribute("xmlns", "http://www.w3.org/2000/svg");
        canvas.attribute("version", "1.1");
        canvas.attribute("width", number(width) + "pt");
        canvas.attribute("height", number(height) + "pt");
        canvas.attribute("role", "img");
        canvas.attribute("font-family", typeface.cssFamilies());
        canvas.title(title);
        canvas.start("desc").content(description, "desc");
        canvas.fill(PlotColor.PAPER, new Rectangle2D.Double(0, 0, width, height));
        return canvas;
    }

    /**
     * Begins an element of a page, which sets the font.
     *
     * @param idPrefix the prefix of all ids, unique in the page
     * @param kind its class if the keyboard reaches its parts; "" for a picture
     * @param name its accessible name
     */
    static SvgCanvas inPage(double width, double height, String idPrefix, String kind, String name) {
        SvgCanvas canvas = new SvgCanvas(true, idPrefix);
        canvas.beginSvg(width, height);
        canvas.attribute("class", kind);
        canvas.attribute("role", kind.isEmpty() ? "img" : "group"); // img hides its elements
        canvas.attribute("aria-label", name);
        return canvas;
    }

    private void beginSvg(double width, double height) {
        start("svg");
        attribute("viewBox", "0 0 " + number(width) + " " + number(height));
        attribute("fill", "none");
        attribute("stroke-linejoin", "round");
    }

    /** Ends the drawing and returns it. */
    String finish() {
        closeTag();
        return svg.append("\n</svg>\n").toString();
    }

    @Override
    public void begin(String kind, String name) {
        start("g");
        attribute("class", kind);
        if (!name.isEmpty()) {
            attribute("data-name", name);
        }
    }

    @Override
    public void beginClipped(String kind, String name, Rectangle2D clip) {
        String id = idPrefix + "clip" + ++clips;
        start("clipPath");
        attribute("id", id);
        startShape(clip);
        end("rect");
        end("clipPath");
        begin(kind, name);
        attribute("clip-path", "url(#" + id + ")");
    }

    @Override
    public void attribute(String name, String value) {
        svg.append(' ').append(name).append("=\"").append(escaped(value)).append('"');
    }

    @Override
    public void focusable(String name) {
        if (isInPage) {
            attribute("tabindex", "0");
            attribute("role", "img");
            attribute("aria-label", name);
        }
    }

    @Override
    public void values(Supplier<String> values) {
        if (isInPage) {
            attribute("data-values", values.get());
        }
    }

    @Override
    public void title(String text) {
        start("title").content(text, "title");
    }

    @Override
    public void end() {
        end("g");
    }

    @Override
    public void draw(LineStyle style, Shape shape) {
        startShape(shape);
        attribute("stroke", css(style.color()));
        attribute("stroke-width", number(style.width()));
        if (!style.dashes().isEmpty()) {
            attribute("stroke-dasharray", style.dashes());
        }
        end("path");
    }

    @Override
    public void fill(PlotColor color, Shape shape) {
        startShape(shape);
        attribute("fill", css(color));
        end("path");
    }

    @Override
    public void dots(PlotColor color, double diameter, List<Point2D> centers) {
        StringBuilder path = new StringBuilder();
        centers.forEach(center ->
                path.append('M').append(point(center.getX(), center.getY())).append("h0"));
        start("path");
        attribute("d", path.toString());
        attribute("stroke", css(color));
        attribute("stroke-width", number(diameter));
        attribute("stroke-linecap", "round");
        end("path");
    }

    @Override
    public void text(String text, TextStyle style, Anchor anchor, double x, double y, boolean isUpward) {
        start("text");
        attribute("x", number(x));
        attribute("y", number(y));
        if (isUpward) {
            attribute("transform", "rotate(-90 " + number(x) + " " + number(y) + ")");
        }
        attribute("font-size", number(style.size()));
        if (style.bold()) {
            attribute("font-weight", "bold");
        }
        if (anchor != Anchor.START) {
            attribute("text-anchor", anchor.name().toLowerCase(Locale.ROOT));
        }
        attribute("fill", css(style.color()));
        content(text, "text");
    }

    private void startShape(Shape shape) {
        if (shape instanceof Rectangle2D rectangle) {
            start("rect");
            attribute("x", number(rectangle.getX()));
            attribute("y", number(rectangle.getY()));
            attribute("width", number(rectangle.getWidth()));
            attribute("height", number(rectangle.getHeight()));
            return;
        }
        StringBuilder path = new StringBuilder();
        double[] at = new double[6];
        for (PathIterator i = shape.getPathIterator(null); !i.isDone(); i.next()) {
            switch (i.currentSegment(at)) {
                case PathIterator.SEG_CLOSE -> path.append('Z');
                case PathIterator.SEG_MOVETO -> path.append('M').append(point(at[0], at[1]));
                default -> path.append(' ').append(point(at[0], at[1]));
            }
        }
        start("path");
        attribute("d", path.toString());
    }

    private SvgCanvas start(String element) {
        closeTag();
        svg.append(svg.isEmpty() ? "<" : "\n<").append(element);
        isTagOpen = true;
        return this;
    }

    private void content(String text, String element) {
        closeTag();
        svg.append(escaped(text)).append("</").append(element).append('>');
    }

    private void end(String element) {
        svg.append(isTagOpen ? "/>" : "\n</" + element + ">");
        isTagOpen = false;
    }

    private void closeTag() {
        svg.append(isTagOpen ? ">" : "");
        isTagOpen = false;
    }

    private static String escaped(String text) {
        return UntrustedText.escape(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String point(double x, double y) {
        return number(x) + "," + number(y);
    }

    private static String number(double value) {
        return BigDecimal.valueOf(Math.round(value * 100), 2)
                .stripTrailingZeros()
                .toPlainString();
    }

    private String css(PlotColor color) {
        return isInPage ? color.css() : PlotColor.hex(color.rgb());
    }
}
