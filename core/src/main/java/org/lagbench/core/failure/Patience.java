package org.lagbench.core.failure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Time limits that are longer than on an idle host if tasks of this host wait for CPUs. */
public final class Patience {
    private static final Path PRESSURE = Path.of("/proc/pressure/cpu");
    private static final Path LOAD_AVERAGE = Path.of("/proc/loadavg");
    private static final Pattern WAIT = Pattern.compile("some avg10=([0-9.]{1,6}) .*");
    private static final double PERCENT = 100;
    private static final double UNKNOWN = -1;

    /** A time limit grows by at most this factor. */
    private static final double FACTOR_MAX = 10;

    private Patience() {}

    /** Returns a time limit for another process of this host or another one, or for this process. */
    public static Duration of(Duration idle) {
        double waiting = firstLine(PRESSURE)
                .map(WAIT::matcher)
                .filter(Matcher::matches)
                .mapToDouble(wait -> Double.parseDouble(wait.group(1)) / PERCENT)
                .findFirst()
                .orElse(0);
        return of(idle, waiting, loadAverage() / Runtime.getRuntime().availableProcessors());
    }

    /** Returns a time limit like {@link #of(Duration)}, in ms. */
    public static int ofMs(int idleMs) {
        return Math.toIntExact(of(Duration.ofMillis(idleMs)).toMillis());
    }

    /**
     * Returns a time limit.
     *
     * @param waiting the part of the time in which a task waited for a CPU, from 0 to 1
     * @param tasksPerCpu the load average, for each CPU
     */
    static Duration of(Duration idle, double waiting, double tasksPerCpu) {
        double factor = Math.max(tasksPerCpu, 1 / Math.max(1 - waiting, 1 / FACTOR_MAX));
        return Duration.ofMillis(Math.round(idle.toMillis() * Math.min(FACTOR_MAX, Math.max(1, factor))));
    }

    /** Returns how many tasks ran or waited for a CPU or a disk, averaged over about a minute; −1 if unknown. */
    public static double loadAverage() {
        return firstLine(LOAD_AVERAGE)
                .mapToDouble(line -> Double.parseDouble(line.substring(0, line.indexOf(' '))))
                .findFirst()
                .orElse(UNKNOWN);
    }

    private static Stream<String> firstLine(Path file) {
        try {
            return Files.readAllLines(file).stream().limit(1);
        } catch (IOException e) {
            return Stream.of(); // this kernel does not report it
        }
    }
}
