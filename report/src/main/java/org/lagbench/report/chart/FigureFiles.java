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
import org.lagbench.core.file.WholeFile;
import org.lagbench.core.model.TextEnum;

/** The files of charts in a directory, all in one typeface. */
public final class FigureFiles {
    /** The directory of the figures within a session directory. */
    public static final String DIRECTORY = "figures";

    private final Path directory;
    private final Typeface typeface;
    private final List<Path> written = new ArrayList<>();
    private final List<Figure> leftOut = new ArrayList<>();

    /**
     * Creates the directory if it does not exist.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if it cannot be created, with {@link ExitCode#UNAVAILABLE}
     *     if this machine cannot draw
     */
    private FigureFiles(Path directory) throws LagbenchException {
        this.directory = directory;
        this.typeface = Typeface.load();
        IoErrors.explained(directory + " cannot be created", () -> Files.createDirectories(directory));
    }

    /**
     * Writes figures into a directory as {@link #write(String, Chart, Format)}.
     *
     * @throws LagbenchException also if a capture cannot be read
     */
    public static FigureFiles write(Path directory, FigureContext context, List<Figure> figures, Set<Format> formats)
            throws LagbenchException {
        FigureFiles files = new FigureFiles(directory);
        for (Figure figure : figures) {
            List<Figure.Drawing> drawings = figure.draw(context);
            if (drawings.isEmpty()) {
                files.leftOut.add(figure);
            }
            for (Figure.Drawing drawing : drawings) {
                Chart chart = drawing.chart().withNotes(context.warnings());
                for (Format format : formats) {
                    files.write(drawing.name(), chart, format);
                }
            }
        }
        return files;
    }

    /**
     * Writes charts by the names of their files, in all formats, as {@link #write(String, Chart, Format)}.
     *
     * @return the files
     */
    public static List<Path> writeAll(Path directory, Map<String, Chart> charts) throws LagbenchException {
        FigureFiles files = new FigureFiles(directory);
        for (Format format : Format.values()) {
            for (Map.Entry<String, Chart> chart : charts.entrySet()) {
                files.write(chart.getKey(), chart.getValue(), format);
            }
        }
        return files.written;
    }

    /**
     * Writes a chart. A reader finds the old file or the new one, never a part of it.
     *
     * @param name the file's name without extension
     * @throws LagbenchException with {@link ExitCode#FILES} if it cannot be written
     */
    private void write(String name, Chart chart, Format format) throws LagbenchException {
        Path file = directory.resolve(name + "." + format.text());
        WholeFile.write(file, format.draw(chart, typeface));
        written.add(file);
    }

    /** Returns the files in the order in which they were written. */
    public List<Path> written() {
        return written;
    }

    /** Returns the figures for which the session lacks the data. */
    public List<Figure> leftOut() {
        return leftOut;
    }

    /** Returns the name of the font. */
    public String font() {
        return typeface.family();
    }

    /** The file formats of charts. Equal charts give equal bytes on one machine and JVM. */
    public enum Format implements TextEnum {
        /** Scalable Vector Graphics, for papers. */
        SVG,
        /** Portable Network Graphics with {@value #DOTS_PER_INCH} dots per inch. */
        PNG;

        /** The resolution of pixel formats. */
        public static final int DOTS_PER_INCH = 300;

        /** Returns a chart as the bytes of a file. */
        public byte[] draw(Chart chart, Typeface typeface) {
            ChartPainter painter = new ChartPainter(chart, typeface::width, 0);
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
