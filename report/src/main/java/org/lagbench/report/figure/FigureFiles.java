package org.lagbench.report.figure;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.ChartFiles;
import org.lagbench.report.plot.ImageFormat;

/**
 * The files of figures.
 *
 * @param written the files made, in the order of the figures
 * @param leftOut the figures for which the session has no data
 * @param font the font in which they are set
 */
public record FigureFiles(List<Path> written, List<Figure> leftOut, String font) {
    /** The directory of the figures within a session directory. */
    public static final String DIRECTORY = "figures";

    public FigureFiles {
        written = List.copyOf(written);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * Makes figures, or makes them again. A reader finds each old or new, never half a file.
     *
     * @param directory where to; it is made if it is not there
     * @throws LagbenchException with {@link ExitCode#FILES} if a capture cannot be read or a file not be written, with
     *     {@link ExitCode#UNAVAILABLE} if this machine cannot draw
     */
    public static FigureFiles write(
            Path directory, FigureContext context, List<Figure> figures, Set<ImageFormat> formats)
            throws LagbenchException {
        ChartFiles files = ChartFiles.in(directory);
        List<Path> written = new ArrayList<>();
        List<Figure> leftOut = new ArrayList<>();
        for (Figure figure : figures) {
            List<Drawing> drawings = figure.of(context);
            if (drawings.isEmpty()) {
                leftOut.add(figure);
            }
            for (Drawing drawing : drawings) {
                for (ImageFormat format : formats) {
                    written.add(files.write(drawing.name(), drawing.chart(), format));
                }
            }
        }
        return new FigureFiles(written, leftOut, files.font());
    }
}
