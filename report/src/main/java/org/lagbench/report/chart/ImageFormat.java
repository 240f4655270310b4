package org.lagbench.report.chart;

import java.nio.charset.StandardCharsets;
import org.lagbench.core.model.TextEnum;

/** The file formats of charts. Equal charts give equal bytes on one machine and JVM. */
public enum ImageFormat implements TextEnum {
    /** Scalable Vector Graphics, for papers. */
    SVG,
    /** Portable Network Graphics with {@value #DOTS_PER_INCH} dots per inch. */
    PNG;

    /** The resolution of pixel formats. */
    public static final int DOTS_PER_INCH = 300;

    /** Returns a chart as the bytes of a file. */
    public byte[] draw(Chart chart, Typeface typeface) {
        ChartPainter painter = new ChartPainter(chart, typeface, 0);
        if (this == PNG) {
            RasterCanvas canvas = new RasterCanvas(chart.width(), painter.height(), DOTS_PER_INCH, typeface);
            painter.paint(canvas);
            return canvas.finish();
        }
        String description = String.join(" ", chart.notes());
        SvgCanvas canvas = SvgCanvas.file(chart.width(), painter.height(), chart.title(), description, typeface);
        painter.paint(canvas);
        return canvas.finish().getBytes(StandardCharsets.UTF_8);
    }
}
