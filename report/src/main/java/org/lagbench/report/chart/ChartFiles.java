package org.lagbench.report.chart;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.model.TextEnum;

/**
 * The files of a session's charts, all in one typeface.
 *
 * @param written the files in the order in which they were written
 * @param leftOut the kinds of charts for which the session has no data
 * @param font the name of the font
 */
public record ChartFiles(List<Path> written, List<ChartKind> leftOut, String font) {
    /** The directory of the charts within a session directory. */
    public static final String DIRECTORY = "figures";

    /**
     * Writes charts into a directory, which is created if it does not exist. A reader finds the old file or the new
     * one, never a part of it.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if a capture cannot be read or a file cannot be written,
     *     with {@link ExitCode#UNAVAILABLE} if this machine cannot draw
     */
    public static ChartFiles write(Path directory, ChartContext context, List<ChartKind> kinds, Set<Format> formats)
            throws LagbenchException {
        Typeface typeface = prepare(directory);
        List<Path> written = new ArrayList<>();
        List<ChartKind> leftOut = new ArrayList<>();
        for (ChartKind kind : kinds) {
            List<ChartKind.Drawing> drawings = kind.draw(context);
            if (drawings.isEmpty()) {
                leftOut.add(kind);
            }
            for (ChartKind.Drawing drawing : drawings) {
                Chart chart = drawing.chart().withNotes(context.warnings());
                for (Format format : formats) {
                    written.add(format.write(directory, drawing.name(), chart, typeface));
                }
            }
        }
        return new ChartFiles(written, leftOut, typeface.family());
    }

    /**
     * Writes charts by the names of their files, in all formats, as {@link #write} does.
     *
     * @return the files
     */
    public static List<Path> writeAll(Path directory, Map<String, Chart> charts) throws LagbenchException {
        Typeface typeface = prepare(directory);
        List<Path> written = new ArrayList<>();
        for (Format format : Format.values()) {
            for (Map.Entry<String, Chart> chart : charts.entrySet()) {
                written.add(format.write(directory, chart.getKey(), chart.getValue(), typeface));
            }
        }
        return written;
    }

    private static Typeface prepare(Path directory) throws LagbenchException {
        Typeface typeface = Typeface.load();
        IoErrors.explained(directory + " cannot be created", () -> Files.createDirectories(directory));
        return typeface;
    }

    /** The file formats of charts. Equal charts give equal bytes on one machine and JVM. */
    public enum Format implements TextEnum {
        /** Scalable Vector Graphics, for papers. */
        SVG,
        /** Portable Network Graphics with {@value #DOTS_PER_INCH} dots per inch. */
        PNG;

        /** The resolution of pixel formats. */
        public static final int DOTS_PER_INCH = 300;

        private Path write(Path directory, String name, Chart chart, Typeface typeface) throws LagbenchException {
            Path file = directory.resolve(name + "." + text());
            AtomicFile.write(file, draw(chart, typeface));
            return file;
        }

        /** Returns a chart as the bytes of a file. */
        public byte[] draw(Chart chart, Typeface typeface) {
            ChartPainter painter = new ChartPainter(chart, typeface::width);
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
}
