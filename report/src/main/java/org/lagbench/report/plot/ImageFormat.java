package org.lagbench.report.plot;

import java.nio.charset.StandardCharsets;

/** What charts can be written as. The same chart is the same bytes each time, on one machine and Java. */
public enum ImageFormat {
    /** Scalable Vector Graphics: for papers, as it is sharp at any size. */
    SVG("svg") {
        @Override
        public byte[] draw(Chart chart, Typeface typeface) {
            ChartPainter painter = new ChartPainter(chart, typeface, 0);
            String description = String.join(" ", chart.notes());
            SvgCanvas canvas = SvgCanvas.file(chart.width(), painter.height(), chart.title(), description, typeface);
            painter.paint(canvas);
            return canvas.finish().getBytes(StandardCharsets.UTF_8);
        }
    },

    /** Portable Network Graphics with {@value #DOTS_PER_INCH} dots an inch. */
    PNG("png") {
        @Override
        public byte[] draw(Chart chart, Typeface typeface) {
            ChartPainter painter = new ChartPainter(chart, typeface, 0);
            RasterCanvas canvas = new RasterCanvas(chart.width(), painter.height(), DOTS_PER_INCH, typeface);
            painter.paint(canvas);
            return PngFile.of(canvas.finish(), DOTS_PER_INCH);
        }
    };

    /** Of formats of pixels. */
    public static final int DOTS_PER_INCH = 300;

    private final String text;

    ImageFormat(String text) {
        this.text = text;
    }

    /** Its name on the command line, and its files' extension. */
    public String text() {
        return text;
    }

    /** Draws a chart and returns the file. */
    public abstract byte[] draw(Chart chart, Typeface typeface);
}
