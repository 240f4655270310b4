package org.lagbench.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import org.lagbench.core.text.ForeignText;

/**
 * Standard output or standard error of a command. Session files, arguments and peers contain texts of others, so each
 * unprintable character but the line feed is escaped here: none can move the cursor or hide a line. Thread-safe.
 */
final class PrintableWriter extends FilterWriter {
    private PrintableWriter(Writer out) {
        super(out);
    }

    /** Returns a writer that flushes after each line. */
    static PrintWriter over(PrintWriter out) {
        return new PrintWriter(new PrintableWriter(out), true);
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
        out.write(ForeignText.lines(text.substring(offset, offset + length)));
    }
}
