package org.lagbench.core.clock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The time namespace of this process, in which CLOCK_MONOTONIC is ahead of that with which the kernel stamps its
 * records; see time_namespaces(7).
 */
public final class TimeNamespace {
    private static final Path OFFSETS = Path.of("/proc/self/timens_offsets");
    private static final long NS_PER_S = 1_000_000_000;

    private TimeNamespace() {}

    /** Returns by how much CLOCK_MONOTONIC of this process is ahead of the kernel's, in ns. */
    public static long monotonicAheadNs() throws IOException {
        return Files.exists(OFFSETS) ? monotonicAheadNs(Files.readString(OFFSETS)) : 0; // exists since Linux 5.6
    }

    /** Returns the offset of the monotonic clock in the text of a file of offsets; 0 if it has none. */
    static long monotonicAheadNs(String offsets) {
        for (String line : offsets.split("\n", -1)) {
            String[] fields = line.strip().split(" +", -1);
            if (fields[0].equals("monotonic")) {
                return Long.parseLong(fields[1]) * NS_PER_S + Long.parseLong(fields[2]);
            }
        }
        return 0;
    }
}
