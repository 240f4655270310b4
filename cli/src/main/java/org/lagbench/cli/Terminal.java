package org.lagbench.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.packetio.linux.LinuxTerminal;
import org.lagbench.report.table.TextColumns;

/** What standard error and standard output are: a terminal, a pipe, or a file that may be full; and whose they are. */
final class Terminal {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int MINIMUM_COLUMNS = 40;

    private Terminal() {}

    /** Returns whether somebody may answer a question: one of the standard streams is a terminal. */
    static boolean isAttended() {
        return isTerminal(0) || isTerminal(1) || isTerminal(2);
    }

    /** Returns whether standard error is a terminal that can overwrite a line. */
    static boolean isStandardErrorCapable() {
        return isTerminal(2) && !"dumb".equals(System.getenv("TERM"));
    }

    /** Returns whether standard output is a terminal that shows colors, and the user has not refused them. */
    static boolean isOutputColored() {
        String refused = System.getenv("NO_COLOR");
        return isTerminal(1) && !"dumb".equals(System.getenv("TERM")) && (refused == null || refused.isEmpty());
    }

    /**
     * Returns the exit code of a command, or the code for a file error if its output was not written completely, which
     * print streams do not report. A closed pipe is no error: its reader, such as head, has all the lines that it
     * needs.
     */
    static int checkOutput(int exitCode) {
        if (exitCode != ExitCode.OK.code()
                || !System.out.checkError()
                || target(1).startsWith("pipe:")) {
            return exitCode;
        }
        return Failures.report(
                ExitCode.FILES.failure("The standard output cannot be written completely; is its disk full?"));
    }

    private static boolean isTerminal(int descriptor) {
        return target(descriptor).startsWith("/dev/pts/") || target(descriptor).startsWith("/dev/tty");
    }

    /** Returns what a descriptor of this process is; "" without /proc, as for a file: plain lines work everywhere. */
    private static String target(int descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the present width of standard output; 80 if it is no terminal or its width is unknown. */
    static int outputColumns() {
        return columns(1);
    }

    /** Returns the present width of standard error; 80 if it is no terminal or its width is unknown. */
    static int errorColumns() {
        return columns(2);
    }

    /** Lets tables use the width of standard output, if that is a terminal. */
    static void setTextColumns() {
        if (isTerminal(1)) {
            TextColumns.set(Terminal::outputColumns);
        }
    }

    private static int columns(int descriptor) {
        int columns = LinuxTerminal.columns(descriptor);
        return columns == 0 ? DEFAULT_COLUMNS : Math.max(MINIMUM_COLUMNS, columns);
    }

    /** Returns the standard output or standard error of a command, which flushes after each line. */
    static PrintWriter writer(PrintWriter out, boolean isColored) {
        return new PrintWriter(new PrintableWriter(out, isColored), true);
    }

    /**
     * Prints a warning if this process runs as root.
     *
     * @param what the command or the part of it that needs no root
     */
    static void warnRoot(PrintWriter err, String what) {
        if (isRoot()) {
            err.println("lagbench: " + what + " runs as root, which only labs and observers need; use another user.");
        }
    }

    /** Returns whether this process runs as root. */
    static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes to standard output or standard error. Session files, arguments and peers contain texts of others, so each
     * unprintable character but the line feed is escaped here: none can move the cursor or hide a line. What the
     * commands mark by an exclamation mark, losses and warnings, is red on a terminal. Thread-safe.
     */
    private static final class PrintableWriter extends FilterWriter {
        /** A marked line and the indented ones that continue it, or a marked number within a line. */
        private static final Pattern MARKED = Pattern.compile("(?m)^! .*(?:\\n {2}\\S.*)*$|! [0-9][0-9.,]*");

        private final boolean isColored;

        private PrintableWriter(Writer out, boolean isColored) {
            super(out);
            this.isColored = isColored;
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
            String printable = UntrustedText.lines(text.substring(offset, offset + length));
            out.write(isColored ? MARKED.matcher(printable).replaceAll("\u001b[31m$0\u001b[0m") : printable);
        }
    }
}
