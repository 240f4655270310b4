package org.lagbench.core.clock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;

/** Identifies the running kernel, and so the clock. */
public final class KernelIdentity {
    /** The environment variable that replaces the kernel's identifier, for tests with a fake clock. */
    public static final String VARIABLE = "LAGBENCH_BOOT_ID";

    /** Returned if this machine does not report the number of context switches. */
    public static final long UNKNOWN_SWITCHES = -1;

    private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path STAT = Path.of("/proc/stat");
    private static final String SWITCHES = "ctxt ";
    private static final String BOOT_ID = readBootId();

    private KernelIdentity() {}

    /**
     * Returns the running kernel's boot identifier, or the value of {@value #VARIABLE} if set. It is the same for two
     * processes if they share a kernel, but also in cloned VMs. Without one, returns an identifier that no other
     * process has.
     */
    public static String bootId() {
        return BOOT_ID;
    }

    private static String readBootId() {
        String replacement = System.getenv(VARIABLE);
        if (replacement != null) {
            return replacement;
        }
        try {
            return Files.readString(FILE).strip();
        } catch (IOException e) {
            return "unknown-" + UUID.randomUUID();
        }
    }

    /**
     * Returns the kernel's number of context switches since it started, by {@code /proc/stat}, or
     * {@link #UNKNOWN_SWITCHES}. It is the same in all namespaces and never decreases. So two counts of different
     * kernels, such as cloned VMs with one boot identifier, differ.
     */
    public static long contextSwitches() {
        try (Stream<String> lines = Files.lines(STAT)) {
            return lines.filter(line -> line.startsWith(SWITCHES))
                    .mapToLong(line -> Long.parseLong(line.substring(SWITCHES.length())))
                    .findFirst()
                    .orElse(UNKNOWN_SWITCHES);
        } catch (IOException e) {
            return UNKNOWN_SWITCHES; // no /proc
        }
    }
}
