package org.lagbench.report.chart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;

/** Writes charts into a directory, all in one typeface. */
public final class ChartFiles {
    private final Path directory;
    private final Typeface typeface;

    /**
     * Creates the directory if it does not exist.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if it cannot be created, with {@link ExitCode#UNAVAILABLE}
     *     if this machine cannot draw
     */
    public ChartFiles(Path directory) throws LagbenchException {
        this.directory = directory;
        this.typeface = Typeface.load();
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES, directory + " cannot be created: " + IoErrors.reason(e) + ".", e);
        }
    }

    /**
     * Writes a chart. A reader finds the old file or the new one, never a part of it.
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

    public String font() {
        return typeface.family();
    }
}
