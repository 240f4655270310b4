package org.lagbench.core.clock;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.lagbench.core.text.Endpoint;

/** Identifies the running kernel. */
public final class KernelIdentity {
    /** The environment variable that replaces the kernel's identifier, for tests with a fake clock. */
    public static final String VARIABLE = "LAGBENCH_BOOT_ID";

    private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path HOST_NAME_FILE = Path.of("/proc/sys/kernel/hostname");
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

    /** Returns the kernel's name of this host; the address of the loopback interface if it cannot be read. */
    public static String hostName() {
        try {
            return Files.readString(HOST_NAME_FILE).strip();
        } catch (IOException e) {
            return Endpoint.format(InetAddress.getLoopbackAddress());
        }
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
}
