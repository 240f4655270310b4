package org.lagbench.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;

/** Reads the text of experiment and network files. */
final class ExperimentFile {
    /** Largest file, in bytes. */
    static final int MAXIMUM_BYTES = 1 << 20;

    private static final Pattern NOT_TEXT =
            Pattern.compile("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F\\uFFFE\\uFFFF]");

    private ExperimentFile() {}

    /**
     * Reads a file of text.
     *
     * @throws LagbenchException if it cannot be read, is too big, or is not UTF-8 text
     */
    static String read(Path path) throws LagbenchException {
        byte[] bytes = bytes(path);
        if (bytes.length > MAXIMUM_BYTES) {
            throw ExitCode.USAGE.failure(
                    path + ": the file is larger than an experiment may be, " + MAXIMUM_BYTES + " bytes.");
        }
        CharBuffer text = CharBuffer.allocate(bytes.length);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), text, true);
        text.flip();
        if (result.isError()) {
            throw notText(path, text, "this byte is not UTF-8");
        }
        Matcher control = NOT_TEXT.matcher(text);
        if (control.find()) {
            char character = text.charAt(control.start());
            throw notText(
                    path,
                    text.subSequence(0, control.start()),
                    String.format("there is a control character U+%04X", (int) character));
        }
        return text.toString();
    }

    /**
     * Returns a file's name without its extension, with a hyphen for each character that a name must not have.
     *
     * @param absent the name if nothing is left of it
     */
    static String name(Path file, String absent) {
        String name = Objects.toString(file.getFileName(), "")
                .replaceFirst("\\.ya?ml$", "")
                .replaceAll("[^A-Za-z0-9._-]", "-")
                .replaceFirst("^[._-]+", "");
        return name.isEmpty() ? absent : name.substring(0, Math.min(name.length(), 100));
    }

    private static byte[] bytes(Path path) throws LagbenchException {
        FileTree.requireFile(path, path + ": this", "name an experiment file, such as quickstart.yaml");
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(MAXIMUM_BYTES + 1);
        } catch (IOException e) {
            throw IoErrors.toException(path + ": the file cannot be read", e);
        }
    }

    private static LagbenchException notText(Path path, CharSequence before, String what) {
        String[] lines = before.toString().split("\n", -1);
        return ExitCode.USAGE.failure(path + ":" + lines.length + ":" + (lines[lines.length - 1].length() + 1) + ": "
                + what + "; an experiment is a file of plain text.");
    }
}
