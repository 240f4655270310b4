package org.lagbench.cli.sweep;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is known of the terminal, if there is one. */
final class Terminal {
    private static final int USUAL_COLUMNS = 80;
    private static final int FEWEST_COLUMNS = 40;

    private Terminal() {}

    /** Whether standard error goes to a terminal that can take back what it has written. */
    static boolean isStandardErrorCapable() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            boolean terminal = target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
            return terminal && !"dumb".equals(System.getenv("TERM"));
        } catch (IOException e) {
            return false; // no /proc: plain lines are right everywhere
        }
    }

    /** Width of the terminal that standard error goes to, or the usual one if it does not tell. */
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
            return columns == 0 ? USUAL_COLUMNS : Math.max(FEWEST_COLUMNS, columns);
        } catch (IOException e) {
            return USUAL_COLUMNS;
        }
    }
}
