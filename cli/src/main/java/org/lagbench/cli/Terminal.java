package org.lagbench.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The terminal of standard error or standard output, if there is one. */
final class Terminal {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int MINIMUM_COLUMNS = 40;

    private Terminal() {}

    /** Returns whether standard error is a terminal that can overwrite a line. */
    static boolean isStandardErrorCapable() {
        return isTerminal(2) && !"dumb".equals(System.getenv("TERM"));
    }

    /** Returns whether standard output is a terminal that shows colors, and the user has not refused them. */
    static boolean isOutputColored() {
        String refused = System.getenv("NO_COLOR");
        return isTerminal(1) && !"dumb".equals(System.getenv("TERM")) && (refused == null || refused.isEmpty());
    }

    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException e) {
            return false; // without /proc; plain lines work everywhere
        }
    }

    /** Returns the width of standard output if that is a terminal, or 80. */
    static int outputColumns() {
        return isTerminal(1) ? columns() : DEFAULT_COLUMNS;
    }

    /** Returns the width of the terminal, or 80 if it is unknown. */
    static int columns() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectErrorStream(true)
                    .start();
            String[] size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ", -1);
            int columns = size.length == 2 && size[1].matches("\\d{1,5}") ? Integer.parseInt(size[1]) : 0;
            return columns == 0 ? DEFAULT_COLUMNS : Math.max(MINIMUM_COLUMNS, columns);
        } catch (IOException e) {
            return DEFAULT_COLUMNS;
        }
    }
}
