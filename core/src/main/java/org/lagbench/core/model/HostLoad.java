package org.lagbench.core.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counters of a host's CPUs since it started, from which two readings give the load between them. Each is
 * {@link #UNKNOWN} if the kernel does not report it.
 *
 * @param busyTicks time in which CPUs were neither idle nor waiting for a disk, of all CPUs, in ticks of the kernel
 * @param allTicks time of all CPUs in the same ticks
 * @param cpuWaitUs time in which at least one runnable task waited for a CPU, in µs: "some" of
 *     {@code /proc/pressure/cpu}
 */
public record HostLoad(long busyTicks, long allTicks, long cpuWaitUs) {
    public static final long UNKNOWN = -1;

    private static final Path STAT = Path.of("/proc/stat");
    private static final Path PRESSURE = Path.of("/proc/pressure/cpu");
    private static final Pattern WAIT = Pattern.compile("some .*total=(\\d{1,18})");

    /** The columns of {@code /proc/stat}, see proc(5); guest time is part of user time. */
    private static final int IDLE = 3;

    private static final int IO_WAIT = 4;
    private static final int STEAL = 7;

    /** Reads the counters of this host. */
    public static HostLoad read() {
        long busy = UNKNOWN;
        long all = UNKNOWN;
        List<String> stat = lines(STAT);
        if (!stat.isEmpty() && stat.get(0).startsWith("cpu ")) {
            String[] columns = stat.get(0).substring("cpu ".length()).strip().split(" +", -1);
            busy = 0;
            all = 0;
            for (int i = 0; i < columns.length && i <= STEAL; i++) {
                long ticks = Long.parseLong(columns[i]);
                all += ticks;
                busy += i == IDLE || i == IO_WAIT ? 0 : ticks;
            }
        }
        long wait = lines(PRESSURE).stream()
                .map(WAIT::matcher)
                .filter(Matcher::matches)
                .mapToLong(matcher -> Long.parseLong(matcher.group(1)))
                .findFirst()
                .orElse(UNKNOWN);
        return new HostLoad(busy, all, wait);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // this kernel does not report it
        }
    }

    /**
     * Returns the part of the CPU time since an earlier reading in which CPUs were busy, from 0 to 1; NaN if unknown.
     */
    public double busySince(HostLoad earlier) {
        long ticks = allTicks - earlier.allTicks;
        long busy = busyTicks - earlier.busyTicks;
        boolean isKnown = earlier.allTicks >= 0 && allTicks >= 0 && ticks > 0 && busy >= 0 && busy <= ticks;
        return isKnown ? (double) busy / ticks : Double.NaN;
    }

    /**
     * Returns the part of the time since an earlier reading in which a runnable task waited for a CPU; NaN if unknown.
     *
     * @param elapsedNs the time since then
     */
    public double waitSince(HostLoad earlier, long elapsedNs) {
        long waitUs = cpuWaitUs - earlier.cpuWaitUs;
        boolean isKnown = earlier.cpuWaitUs >= 0 && cpuWaitUs >= 0 && waitUs >= 0 && elapsedNs > 0;
        return isKnown ? Math.min(1, waitUs * 1e3 / elapsedNs) : Double.NaN;
    }
}
