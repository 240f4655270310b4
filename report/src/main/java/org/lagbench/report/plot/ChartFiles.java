package org.lagbench.report.plot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;

/**
 * A directory that charts are drawn into, all in one typeface. A reader finds each file old or new, never half of it.
 */
public final class ChartFiles {
    private final Path directory;
    private final Typeface typeface;

    private ChartFiles(Path directory, Typeface typeface) {
        this.directory = directory;
        this.typeface = typeface;
    }

    /**
     * Makes the directory if it is not there.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if it cannot be made, with {@link ExitCode#UNAVAILABLE} if
     *     this machine cannot draw
     */
    public static ChartFiles in(Path directory) throws LagbenchException {
        Typeface typeface = Typeface.load();
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES, "The directory " + directory + " cannot be made: " + IoErrors.reason(e) + ".", e);
        }
        return new ChartFiles(directory, typeface);
    }

    /**
     * Draws a chart, in place of one of that name.
     *
     * @param name the file's name without extension
     * @return the file
     * @throws LagbenchException with {@link ExitCode#FILES} if it cannot be written
     */
    public Path write(String name, Chart chart, ImageFormat format) throws LagbenchException {
        Path file = directory.resolve(name + "." + format.text());
        WholeFile.write(file, format.draw(chart, typeface));
        return file;
    }

    /** The font in which they are set. */
    public String font() {
        return typeface.family();
    }
}
