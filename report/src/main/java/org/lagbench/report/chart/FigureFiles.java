package org.lagbench.report.chart;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The files of figures.
 *
 * @param written the files, in the order of the figures
 * @param leftOut the figures for which the session lacks the data
 * @param font the name of the font
 */
public record FigureFiles(List<Path> written, List<Figure> leftOut, String font) {
    /** The directory of the figures within a session directory. */
    public static final String DIRECTORY = "figures";

    /**
     * Writes figures. A reader finds the old file or the new one, never a part of it.
     *
     * @param directory created if it does not exist
     * @throws LagbenchException with {@link ExitCode#FILES} if a capture cannot be read or a file cannot be written,
     *     with {@link ExitCode#UNAVAILABLE} if this machine cannot draw
     */
    public static FigureFiles write(
            Path directory, FigureContext context, List<Figure> figures, Set<ImageFormat> formats)
            throws LagbenchException {
        ChartFiles files = new ChartFiles(directory);
        List<Path> written = new ArrayList<>();
        List<Figure> leftOut = new ArrayList<>();
        for (Figure figure : figures) {
            List<Figure.Drawing> drawings = figure.draw(context);
            if (drawings.isEmpty()) {
                leftOut.add(figure);
            }
            for (Figure.Drawing drawing : drawings) {
                Chart chart = drawing.chart().withNotes(context.warnings());
                for (ImageFormat format : formats) {
                    written.add(files.write(drawing.name(), chart, format));
                }
            }
        }
        return new FigureFiles(written, leftOut, files.font());
    }
}
