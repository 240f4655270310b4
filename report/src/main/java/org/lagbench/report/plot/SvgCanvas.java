package org.lagbench.report.plot;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Draws SVG 1.1, as a file or as a part of a page. Positions are to a hundredth of a point; texts are texts, set from
 * their anchor, so that they are in place in whatever font a reader has. The same drawing is the same text each time.
 */
final class SvgCanvas implements Canvas {
    private static final String NAMESPACE = "http://www.w3.org/2000/svg";
    private static final MathContext VALUE_DIGITS = new MathContext(15);

    private final StringWriter text = new StringWriter();
    private final XMLStreamWriter xml;
    private final boolean isInPage;
    private final boolean takesValues;
    private final String idPrefix;
    private int clips;

    private SvgCanvas(double width, double height, boolean isInPage, boolean takesValues, String idPrefix) {
        this.isInPage = isInPage;
        this.takesValues = takesValues;
        this.idPrefix = idPrefix;
        try {
            xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        write(() -> {
            if (!isInPage) {
                xml.writeStartDocument("UTF-8", "1.0");
                xml.writeCharacters("\n");
            }
            xml.writeStartElement("svg");
            if (!isInPage) {
                xml.writeDefaultNamespace(NAMESPACE);
                attribute("version", "1.1");
                attribute("width", number(width) + "pt");
                attribute("height", number(height) + "pt");
            }
            attribute("viewBox", "0 0 " + number(width) + " " + number(height));
            attribute("fill", "none");
            attribute("stroke-linejoin", "round");
        });
    }

    /**
     * Begins a file.
     *
     * @param title what it is called
     * @param description what is said of it besides
     */
    static SvgCanvas file(double width, double height, String title, String description, Typeface typeface) {
        SvgCanvas canvas = new SvgCanvas(width, height, false, false, "");
        canvas.attribute("role", "img");
        canvas.attribute("font-family", typeface.cssFamilies());
        write(() -> {
            canvas.element("title", title);
            canvas.element("desc", description);
        });
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
        return new SvgCanvas(width, height, true, takesValues, idPrefix);
    }

    /** Ends the drawing, which is what it returns. */
    String finish() {
        write(() -> {
            xml.writeCharacters("\n");
            xml.writeEndElement();
            xml.writeCharacters("\n");
            xml.writeEndDocument();
            xml.flush();
        });
        return text.toString();
    }

    @Override
    public boolean takesValues() {
        return takesValues;
    }

    @Override
    public void begin(String kind, String name) {
        write(() -> {
            start("g");
            attribute("class", kind);
            if (!name.isEmpty()) {
                attribute("data-name", name);
            }
        });
    }

    @Override
    public void beginClipped(String kind, String name, Rectangle within) {
        String clip = idPrefix + "clip" + ++clips;
        write(() -> {
            start("clipPath");
            attribute("id", clip);
            xml.writeEmptyElement("rect");
            position(within);
            xml.writeEndElement();
        });
        begin(kind, name);
        write(() -> attribute("clip-path", "url(#" + clip + ")"));
    }

    @Override
    public void attribute(String name, String value) {
        write(() -> xml.writeAttribute(name, value));
    }

    @Override
    public void end() {
        write(() -> {
            xml.writeCharacters("\n");
            xml.writeEndElement();
        });
    }

    @Override
    public void line(LineStyle style, double[] x, double[] y) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < x.length; i++) {
            points.append(i == 0 ? "" : " ").append(number(x[i])).append(',').append(number(y[i]));
        }
        write(() -> {
            empty("polyline");
            attribute("points", points.toString());
            stroke(style);
        });
    }

    @Override
    public void lines(LineStyle style, double[] x, double[] y, int[] starts) {
        StringBuilder path = new StringBuilder();
        int line = 0;
        for (int i = 0; i < x.length; i++) {
            boolean starting = line < starts.length && i == starts[line];
            line += starting ? 1 : 0;
            path.append(starting ? 'M' : ' ').append(datum(x[i])).append(',').append(datum(y[i]));
        }
        write(() -> {
            empty("path");
            attribute("d", path.toString());
            stroke(style);
        });
    }

    @Override
    public void fill(PlotColor color, Rectangle rectangle) {
        write(() -> {
            empty("rect");
            position(rectangle);
            attribute("fill", css(color));
        });
    }

    @Override
    public void outline(LineStyle style, Rectangle rectangle) {
        write(() -> {
            empty("rect");
            position(rectangle);
            stroke(style);
        });
    }

    @Override
    public void dots(PlotColor color, double diameter, double[] x, double[] y) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < x.length; i++) {
            path.append('M').append(datum(x[i])).append(',').append(datum(y[i])).append("h0");
        }
        write(() -> {
            empty("path");
            attribute("d", path.toString());
            attribute("stroke", css(color));
            attribute("stroke-width", number(diameter));
            attribute("stroke-linecap", "round");
        });
    }

    @Override
    public void mark(Mark mark, double x, double y) {
        double half = mark.size() / 2;
        write(() -> {
            switch (mark.shape()) {
                case TRIANGLE -> polygon(mark, x, y - half, x + half, y + half, x - half, y + half);
                case DIAMOND -> polygon(mark, x, y - half, x + half, y, x, y + half, x - half, y);
                case CROSS -> {
                    strokes(mark, x - half, y - half, x + half, y + half);
                    strokes(mark, x - half, y + half, x + half, y - half);
                }
                case DASH -> strokes(mark, x - half, y, x + half, y);
            }
        });
    }

    @Override
    public void text(String string, TextStyle style, Anchor anchor, double x, double y) {
        text(string, style, anchor, x, y, false);
    }

    @Override
    public void textUpward(String string, TextStyle style, Anchor anchor, double x, double y) {
        text(string, style, anchor, x, y, true);
    }

    private void text(String string, TextStyle style, Anchor anchor, double x, double y, boolean upward) {
        write(() -> {
            start("text");
            attribute("x", number(x));
            attribute("y", number(y));
            if (upward) {
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
            xml.writeCharacters(string);
            xml.writeEndElement();
        });
    }

    private void polygon(Mark mark, double... corners) throws XMLStreamException {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < corners.length; i += 2) {
            points.append(i == 0 ? "" : " ")
                    .append(number(corners[i]))
                    .append(',')
                    .append(number(corners[i + 1]));
        }
        empty("polygon");
        attribute("points", points.toString());
        attribute("fill", css(mark.color()));
    }

    private void strokes(Mark mark, double fromX, double fromY, double toX, double toY) {
        line(LineStyle.solid(mark.color(), RasterCanvas.MARK_LINE), fromX, fromY, toX, toY);
    }

    private void stroke(LineStyle style) throws XMLStreamException {
        attribute("stroke", css(style.color()));
        attribute("stroke-width", number(style.width()));
        if (!style.dashes().isEmpty()) {
            attribute(
                    "stroke-dasharray",
                    style.dashes().stream().map(SvgCanvas::number).collect(Collectors.joining(" ")));
        }
    }

    private void position(Rectangle rectangle) throws XMLStreamException {
        attribute("x", number(rectangle.x()));
        attribute("y", number(rectangle.y()));
        attribute("width", number(rectangle.width()));
        attribute("height", number(rectangle.height()));
    }

    private void start(String element) throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeStartElement(element);
    }

    private void empty(String element) throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeEmptyElement(element);
    }

    private void element(String name, String content) throws XMLStreamException {
        start(name);
        xml.writeCharacters(content);
        xml.writeEndElement();
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
        long hundredths = Math.round(value * 100);
        String sign = hundredths < 0 ? "-" : "";
        long size = Math.abs(hundredths);
        String fraction =
                size % 100 == 0 ? "" : size % 10 == 0 ? "." + size % 100 / 10 : String.format(".%02d", size % 100);
        return sign + size / 100 + fraction;
    }

    private String css(PlotColor color) {
        return isInPage ? color.css() : PlotColor.hex(color.rgb());
    }

    private static void write(Writing writing) {
        try {
            writing.run();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e); // a StringWriter takes everything
        }
    }

    /** Something written. */
    @FunctionalInterface
    private interface Writing {
        void run() throws XMLStreamException;
    }
}
