package org.lagbench.core.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/** Gets the text of an experiment file. */
final class ExperimentFile {
    /** Largest file, in bytes. */
    static final int MAXIMUM_BYTES = 1 << 20;

    private ExperimentFile() {}

    /**
     * Reads a file of text.
     *
     * @throws LagbenchException if it cannot be read, is too big, or is not text in UTF-8
     */
    static String read(Path path) throws LagbenchException {
        byte[] bytes = bytes(path);
        if (bytes.length > MAXIMUM_BYTES) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    path + ": the file is greater than " + MAXIMUM_BYTES + " bytes; that is not an experiment.");
        }
        String text = text(bytes, path);
        refuseControlCharacters(text, path);
        return text;
    }

    private static byte[] bytes(Path path) throws LagbenchException {
        if (Files.isDirectory(path)) {
            throw new LagbenchException(
                    ExitCode.FILES, path + ": this is a directory; name an experiment file, such as quickstart.yaml.");
        }
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(MAXIMUM_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new LagbenchException(ExitCode.FILES, path + ": there is no such file.", e);
        } catch (AccessDeniedException e) {
            throw new LagbenchException(
                    ExitCode.FILES, path + ": this user may not read the file; see its permissions.", e);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES, path + ": the file cannot be read: " + IoErrors.reason(e) + ".", e);
        }
    }

    private static String text(byte[] bytes, Path path) throws LagbenchException {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer text = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
        text.flip();
        if (result.isError()) {
            throw notText(path, text, "this byte is not UTF-8");
        }
        return text.toString();
    }

    private static void refuseControlCharacters(String text, Path path) throws LagbenchException {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (!isText(character)) {
                throw notText(
                        path,
                        text.subSequence(0, i),
                        String.format("there is a control character U+%04X", (int) character));
            }
        }
    }

    private static boolean isText(char character) {
        return switch (character) {
            case '\t', '\n', '\r' -> true;
            case '\uFFFE', '\uFFFF' -> false;
            default -> !Character.isISOControl(character);
        };
    }

    private static LagbenchException notText(Path path, CharSequence before, String what) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < before.length(); i++) {
            column++;
            if (before.charAt(i) == '\n') {
                line++;
                column = 1;
            }
        }
        return new LagbenchException(
                ExitCode.USAGE,
                path + ":" + line + ":" + column + ": " + what + "; an experiment is a file of plain text.");
    }
}
