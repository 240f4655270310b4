package org.lagbench.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.regex.Pattern;
import org.lagbench.core.failure.ForeignText;

/**
 * Standard output or standard error of a command. Session files, arguments and peers contain texts of others, so each
 * unprintable character but the line feed is escaped here: none can move the cursor or hide a line. What the commands
 * mark by an exclamation mark, losses and warnings, is red on a terminal. Thread-safe.
 */
final class PrintableWriter extends FilterWriter {
    /** A marked line and the indented ones that continue it, or a marked number within a line. */
    private static final Pattern MARKED = Pattern.compile("(?m)^! .*(?:\\n {2}\\S.*)*$|! [0-9][0-9.,]*");

    private final boolean isColored;

    private PrintableWriter(Writer out, boolean isColored) {
        super(out);
        this.isColored = isColored;
    }

    /** Returns a writer that flushes after each line. */
    static PrintWriter over(PrintWriter out, boolean isColored) {
        return new PrintWriter(new PrintableWriter(out, isColored), true);
    }

    @Override
    public void write(int character) throws IOException {
        write(Character.toString(character));
    }

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
        write(new String(characters, offset, length));
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        String printable = ForeignText.lines(text.substring(offset, offset + length));
        out.write(isColored ? MARKED.matcher(printable).replaceAll("\u001b[31m$0\u001b[0m") : printable);
    }
}
