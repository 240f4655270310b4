package org.lagbench.runner.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.TimerSlack;
import org.lagbench.packetio.socket.Sysctl;

/**
 * This machine, as Linux describes it under {@code /proc} and {@code /sys}. What the kernel does not provide is null or
 * "unknown"; no method fails.
 */
public final class Machine {
    private static final String UNKNOWN = "unknown";

    private Machine() {}

    /** Returns the name, release and build of the kernel. */
    public static String kernel() {
        return String.join(
                " ",
                firstLine("/proc/sys/kernel/ostype").orElse(UNKNOWN),
                firstLine("/proc/sys/kernel/osrelease").orElse(UNKNOWN),
                firstLine("/proc/sys/kernel/version").orElse(UNKNOWN));
    }

    /** Returns the processor's model. */
    public static String cpuModel() {
        return field("/proc/cpuinfo", "model name").orElse(UNKNOWN);
    }

    /** Returns how many processors this JVM may use. */
    public static int cpuCount() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Returns the frequency governor of the first processor; null if the kernel does not control the frequency. */
    public static @Nullable String cpuGovernor() {
        return firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
                .orElse(null);
    }

    /** Returns the memory in bytes, or −1. */
    public static long memoryBytes() {
        return field("/proc/meminfo", "MemTotal")
                .filter(total -> total.endsWith(" kB"))
                .map(total -> Long.parseLong(total.replace(" kB", "")) * 1024)
                .orElse(-1L);
    }

    /** Returns the kernel's clock source: "tsc", "hpet", "kvm-clock". */
    public static String clockSource() {
        return firstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource")
                .orElse(UNKNOWN);
    }

    /** Returns the timer slack of this thread in ns, or −1. */
    public static long timerSlackNs() {
        try {
            return TimerSlack.currentNs();
        } catch (IOException e) {
            return -1;
        }
    }

    /** Returns a kernel parameter such as {@code net.core.rmem_max}, with one space between its columns, or null. */
    public static @Nullable String sysctl(String name) {
        return Sysctl.text(name).map(value -> value.replaceAll("\\s+", " ")).orElse(null);
    }

    private static Optional<String> field(String file, String name) {
        return lines(file).stream()
                .map(line -> line.split(":", 2))
                .filter(field -> field.length == 2 && field[0].strip().equals(name))
                .map(field -> field[1].strip())
                .findFirst();
    }

    private static Optional<String> firstLine(String file) {
        return lines(file).stream().map(String::strip).findFirst();
    }

    /** Returns the lines of a file of the kernel; none if this kernel or container does not have it. */
    public static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (IOException e) {
            return List.of();
        }
    }
}
