package org.lagbench.analysis.figure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.lagbench.analysis.plot.ImageFormat;
import org.lagbench.analysis.plot.Typeface;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.FileTrouble;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;

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
    public static FigureFiles write(Path directory, Material material, List<Figure> figures, Set<ImageFormat> formats)
            throws LagbenchException {
        Typeface typeface = Typeface.load();
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES,
                    "The directory " + directory + " cannot be made: " + FileTrouble.reason(e) + ".",
                    e);
        }
        List<Path> written = new ArrayList<>();
        List<Figure> leftOut = new ArrayList<>();
        for (Figure figure : figures) {
            List<Drawing> drawings = figure.of(material);
            if (drawings.isEmpty()) {
                leftOut.add(figure);
            }
            for (Drawing drawing : drawings) {
                for (ImageFormat format : formats) {
                    Path file = directory.resolve(drawing.name() + "." + format.text());
                    WholeFile.write(file, format.draw(drawing.chart(), typeface));
                    written.add(file);
                }
            }
        }
        return new FigureFiles(written, leftOut, typeface.family());
    }
}
