package org.lagbench.core.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/** Writes a file so that whoever reads it sees all of it, or what was there before. */
public final class WholeFile {
    private WholeFile() {}

    /**
     * Writes a text in UTF-8, in place of what was there.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if that cannot be done; the file is then as it was, and
     *     nothing else is left
     */
    public static void write(Path file, CharSequence text) throws LagbenchException {
        write(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes bytes, in place of what was there.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if that cannot be done; the file is then as it was, and
     *     nothing else is left
     */
    public static void write(Path file, byte[] content) throws LagbenchException {
        Path partial = file.resolveSibling("." + file.getFileName() + ".partial");
        try {
            try {
                Files.write(partial, content);
                Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(partial);
            }
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, file + " cannot be written: " + IoErrors.reason(e) + ".", e);
        }
    }
}
