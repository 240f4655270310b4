package org.lagbench.core.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/** Writes files atomically: a reader sees the whole new content or the old one. */
public final class WholeFile {
    private WholeFile() {}

    /**
     * Writes a text in UTF-8 like {@link #write(Path, byte[])}.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if the file cannot be written
     */
    public static void write(Path file, CharSequence text) throws LagbenchException {
        write(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes or replaces a file.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if it cannot be written; the file is then unchanged, and no
     *     other file is left
     */
    public static void write(Path file, byte[] content) throws LagbenchException {
        try (PartialFile partial = PartialFile.of(file)) {
            Files.write(partial.path(), content);
            partial.publish();
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, file + " cannot be written: " + IoErrors.reason(e) + ".", e);
        }
    }
}
