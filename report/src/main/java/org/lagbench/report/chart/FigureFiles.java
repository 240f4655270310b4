package org.lagbench.report.chart;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;

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
    public FigureFiles(Path directory) throws LagbenchException {
        this.directory = directory;
        this.typeface = Typeface.load();
        IoErrors.explained(directory + " cannot be created", () -> Files.createDirectories(directory));
    }

    /**
     * Writes figures into a directory as {@link #write(String, Chart, ImageFormat)}.
     *
     * @throws LagbenchException also if a capture cannot be read
     */
    public static FigureFiles write(
            Path directory, FigureContext context, List<Figure> figures, Set<ImageFormat> formats)
            throws LagbenchException {
        FigureFiles files = new FigureFiles(directory);
        for (Figure figure : figures) {
            List<Figure.Drawing> drawings = figure.draw(context);
            if (drawings.isEmpty()) {
                files.leftOut.add(figure);
            }
            for (Figure.Drawing drawing : drawings) {
                Chart chart = drawing.chart().withNotes(context.warnings());
                for (ImageFormat format : formats) {
                    files.write(drawing.name(), chart, format);
                }
            }
        }
        return files;
    }

    /**
     * Writes a chart. A reader finds the old file or the new one, never a part of it.
     *
     * @param name the file's name without extension
     * @throws LagbenchException with {@link ExitCode#FILES} if it cannot be written
     */
    public void write(String name, Chart chart, ImageFormat format) throws LagbenchException {
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
}
