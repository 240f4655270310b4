package org.lagbench.report.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Draws SVG 1.1, as a file or as a part of a page. Positions are to a hundredth of a point; texts are texts, set from
 * their anchor, so that they are in place in whatever font a reader has. The same drawing is the same text each time.
 */
final class SvgCanvas implements Canvas {
    private static final MathContext VALUE_DIGITS = new MathContext(15);

    private final StringBuilder svg = new StringBuilder();
    private final boolean isInPage;
    private final boolean takesValues;
    private final String idPrefix;
    private int clips;

    /** Whether attributes can be added to the element begun last. */
    private boolean isTagOpen;

    private SvgCanvas(boolean isInPage, boolean takesValues, String idPrefix) {
        this.isInPage = isInPage;
        this.takesValues = takesValues;
        this.idPrefix = idPrefix;
    }

    /**
     * Begins a file.
     *
     * @param title what it is called
     * @param description what is said of it besides
     */
    static SvgCanvas file(double width, double height, String title, String description, Typeface typeface) {
        SvgCanvas canvas = new SvgCanvas(false, false, "");
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
        canvas.fill(Palette.PAPER, new Rectangle(0, 0, width, height));
        return canvas;
    }

    /**
     * Begins a part of a page, which sets the font.
     *
     * @param takesValues whether the page places the data
     * @param idPrefix with which ids begin, as no other in the page does
     */
    static SvgCanvas inPage(double width, double height, boolean takesValues, String idPrefix) {
        SvgCanvas canvas = new SvgCanvas(true, takesValues, idPrefix);
        canvas.beginSvg(width, height);
        return canvas;
    }

    private void beginSvg(double width, double height) {
        start("svg");
        attribute("viewBox", "0 0 " + number(width) + " " + number(height));
        attribute("fill", "none");
        attribute("stroke-linejoin", "round");
    }

    /** Ends the drawing, which is what it returns. */
    String finish() {
        closeTag();
        return svg.append("\n</svg>\n").toString();
    }

    @Override
    public boolean takesValues() {
        return takesValues;
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
    public void beginClipped(String kind, String name, Rectangle within) {
        String clip = idPrefix + "clip" + ++clips;
        start("clipPath");
        attribute("id", clip);
        rectangle(within);
        end("rect");
        end("clipPath");
        begin(kind, name);
        attribute("clip-path", "url(#" + clip + ")");
    }

    @Override
    public void attribute(String name, String value) {
        svg.append(' ').append(name).append("=\"").append(escaped(value)).append('"');
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
    public void lines(LineStyle style, double[] x, double[] y, int[] starts) {
        StringBuilder path = new StringBuilder();
        int line = 0;
        for (int i = 0; i < x.length; i++) {
            boolean isStart = line < starts.length && i == starts[line];
            line += isStart ? 1 : 0;
            path.append(isStart ? 'M' : ' ').append(datum(x[i])).append(',').append(datum(y[i]));
        }
        start("path");
        attribute("d", path.toString());
        stroke(style);
        end("path");
    }

    @Override
    public void fill(PlotColor color, Rectangle rectangle) {
        rectangle(rectangle);
        attribute("fill", css(color));
        end("rect");
    }

    @Override
    public void outline(LineStyle style, Rectangle rectangle) {
        rectangle(rectangle);
        stroke(style);
        end("rect");
    }

    @Override
    public void dots(PlotColor color, double diameter, double[] x, double[] y) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < x.length; i++) {
            path.append('M').append(datum(x[i])).append(',').append(datum(y[i])).append("h0");
        }
        start("path");
        attribute("d", path.toString());
        attribute("stroke", css(color));
        attribute("stroke-width", number(diameter));
        attribute("stroke-linecap", "round");
        end("path");
    }

    @Override
    public void polygon(PlotColor color, double[] x, double[] y) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < x.length; i++) {
            points.append(i == 0 ? "" : " ").append(number(x[i])).append(',').append(number(y[i]));
        }
        start("polygon");
        attribute("points", points.toString());
        attribute("fill", css(color));
        end("polygon");
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
        attribute("fill", css(Palette.INK));
        content(text, "text");
    }

    private void stroke(LineStyle style) {
        attribute("stroke", css(style.color()));
        attribute("stroke-width", number(style.width()));
        if (!style.dashes().isEmpty()) {
            attribute(
                    "stroke-dasharray",
                    style.dashes().stream().map(SvgCanvas::number).collect(Collectors.joining(" ")));
        }
    }

    private void rectangle(Rectangle rectangle) {
        start("rect");
        attribute("x", number(rectangle.x()));
        attribute("y", number(rectangle.y()));
        attribute("width", number(rectangle.width()));
        attribute("height", number(rectangle.height()));
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
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** A coordinate of the data: a position, or a value as far as a double is exact. */
    private String datum(double value) {
        return takesValues
                ? BigDecimal.valueOf(value)
                        .round(VALUE_DIGITS)
                        .stripTrailingZeros()
                        .toPlainString()
                : number(value);
    }

    /** A hundredth of a point is 3.5 µm on paper. */
    private static String number(double value) {
        return BigDecimal.valueOf(Math.round(value * 100), 2)
                .stripTrailingZeros()
                .toPlainString();
    }

    private String css(PlotColor color) {
        return isInPage ? color.css() : PlotColor.hex(color.rgb());
    }
}
