package org.lagbench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** What a process must be allowed to make namespaces. */
final class Privileges {
    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_SYS_ADMIN = 21;

    private Privileges() {}

    /**
     * Ends with a sentence where a lab cannot be made by this user.
     *
     * @throws LagbenchException if it cannot
     */
    static void demand() throws LagbenchException {
        if (!isHeld()) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "A lab is made of network namespaces, which needs root (CAP_NET_ADMIN and CAP_SYS_ADMIN): use sudo."
                            + " Without root, lab: none measures over this machine's loopback.");
        }
    }

    private static boolean isHeld() throws LagbenchException {
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of("/proc/self/status"));
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE, "A lab needs Linux with /proc: " + e.getMessage() + ".", e);
        }
        for (String line : lines) {
            if (line.startsWith("CapEff:")) {
                long held = Long.parseUnsignedLong(
                        line.substring("CapEff:".length()).strip(), 16);
                return (held >> CAP_NET_ADMIN & 1) == 1 && (held >> CAP_SYS_ADMIN & 1) == 1;
            }
        }
        return false;
    }
}
