package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user root, whose rights no program that other hosts can reach should have. */
final class Root {
    private Root() {}

    /**
     * Prints a warning if this process runs as root.
     *
     * @param what the command or the part of it that needs no root
     */
    static void warn(PrintWriter err, String what) {
        if (isRoot()) {
            err.println("lagbench: " + what + " runs as root, which only a lab needs; use another user.");
        }
    }

    private static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
