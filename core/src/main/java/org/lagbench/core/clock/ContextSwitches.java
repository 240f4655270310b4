package org.lagbench.core.clock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The kernel's number of context switches since it started, by {@code /proc/stat}. It is the same in all namespaces and
 * never decreases. So two counts of different kernels, such as cloned VMs with one boot identifier, differ.
 */
public final class ContextSwitches {
    /** Returned if this machine does not report the count. */
    public static final long UNKNOWN = -1;

    private static final Path FILE = Path.of("/proc/stat");
    private static final String NAME = "ctxt ";

    private ContextSwitches() {}

    /** Returns the current number, or {@link #UNKNOWN}. */
    public static long count() {
        try (Stream<String> lines = Files.lines(FILE)) {
            return lines.filter(line -> line.startsWith(NAME))
                    .mapToLong(line -> Long.parseLong(line.substring(NAME.length())))
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN; // no /proc
        }
    }
}
