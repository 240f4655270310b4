package org.lagbench.core.clock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Tells whether two processes share a kernel, and so a clock. */
public final class BootId {
    /**
     * The environment variable by which a process says that its clock is not its kernel's, as in tests that fake one.
     */
    public static final String VARIABLE = "LAGBENCH_BOOT_ID";

    private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");
    private static final String CURRENT = read();

    private BootId() {}

    /**
     * The running kernel's boot identifier, or what {@value #VARIABLE} says in its stead: the same for two processes
     * exactly if they share a kernel. Where the kernel does not tell, it is one that no other process has.
     */
    public static String current() {
        return CURRENT;
    }

    private static String read() {
        String said = System.getenv(VARIABLE);
        if (said != null) {
            return said;
        }
        try {
            return Files.readString(FILE).strip();
        } catch (IOException e) {
            return "unknown-" + UUID.randomUUID();
        }
    }
}
