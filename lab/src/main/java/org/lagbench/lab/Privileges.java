package org.lagbench.lab;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** The capabilities that a process needs to create network namespaces. */
final class Privileges {
    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_SYS_ADMIN = 21;
    private static final String EFFECTIVE_CAPABILITIES = "CapEff:";

    private Privileges() {}

    /** Throws an exception if this process may not create a lab. */
    static void require() throws LagbenchException {
        if (!isHeld()) {
            throw ExitCode.UNAVAILABLE.failure(
                    "A lab consists of network namespaces, which need root (CAP_NET_ADMIN and CAP_SYS_ADMIN): use sudo."
                            + " Without root, lab: none measures over this machine's loopback.");
        }
    }

    private static boolean isHeld() throws LagbenchException {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith(EFFECTIVE_CAPABILITIES))
                    .map(line -> new BigInteger(
                            line.substring(EFFECTIVE_CAPABILITIES.length()).strip(), 16))
                    .anyMatch(held -> held.testBit(CAP_NET_ADMIN) && held.testBit(CAP_SYS_ADMIN));
        } catch (IOException e) {
            throw ExitCode.UNAVAILABLE.failure("A lab needs Linux with /proc: " + e.getMessage() + ".", e);
        }
    }
}
