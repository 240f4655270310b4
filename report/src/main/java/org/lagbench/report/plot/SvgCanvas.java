package org.lagbench.report.plot;

import java.awt.Color;
import java.io.StringWriter;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Draws as SVG 1.1. Positions are to a hundredth of a point; texts are texts, set from their anchor, so that they are
 * in place in whatever font a reader has. The same drawing is the same text each time.
 */
final class SvgCanvas implements Canvas {
    private static final String NAMESPACE = "http://www.w3.org/2000/svg";

    private final StringWriter text = new StringWriter();
    private final XMLStreamWriter xml;
    private int clips;

    /**
     * Begins a drawing.
     *
     * @param title what it is called
     * @param description what is said of it besides
     */
    SvgCanvas(double width, double height, String title, String description, Typeface typeface) {
        try {
            xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        write(() -> {
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeCharacters("\n");
            xml.writeStartElement("svg");
            xml.writeDefaultNamespace(NAMESPACE);
            attribute("version", "1.1");
            attribute("width", number(width) + "pt");
            attribute("height", number(height) + "pt");
            attribute("viewBox", "0 0 " + number(width) + " " + number(height));
            attribute("role", "img");
            attribute("font-family", typeface.cssFamilies());
            attribute("fill", "none");
            attribute("stroke-linejoin", "round");
            element("title", title);
            element("desc", description);
        });
        fill(Palette.PAPER, new Rectangle(0, 0, width, height));
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
        String clip = "clip" + ++clips;
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
    public void fill(Color colour, Rectangle rectangle) {
        write(() -> {
            empty("rect");
            position(rectangle);
            attribute("fill", hex(colour));
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
    public void dots(Color colour, double diameter, double[] x, double[] y) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < x.length; i++) {
            path.append('M')
                    .append(number(x[i]))
                    .append(',')
                    .append(number(y[i]))
                    .append("h0");
        }
        write(() -> {
            empty("path");
            attribute("d", path.toString());
            attribute("stroke", hex(colour));
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
            attribute("fill", hex(Palette.INK));
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
        attribute("fill", hex(mark.colour()));
    }

    private void strokes(Mark mark, double fromX, double fromY, double toX, double toY) {
        line(LineStyle.solid(mark.colour(), RasterCanvas.MARK_LINE), fromX, fromY, toX, toY);
    }

    private void stroke(LineStyle style) throws XMLStreamException {
        attribute("stroke", hex(style.colour()));
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

    private void attribute(String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, value);
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

    private static String hex(Color colour) {
        return String.format("#%06X", colour.getRGB() & 0xFFFFFF);
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
