package org.lagbench.cli.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.time.TimerSlack;
import org.lagbench.packetio.socket.Sysctl;

/**
 * This machine, as Linux describes it under {@code /proc} and {@code /sys}. What the kernel does not tell is null or
 * says "unknown"; nothing here fails.
 */
public final class Machine {
    private static final Path PROC = Path.of("/proc");
    private static final Path SYS = Path.of("/sys");

    private Machine() {}

    /** Name, release and build of the kernel. */
    public static String kernel() {
        return String.join(
                " ",
                orUnknown(firstLine(PROC.resolve("sys/kernel/ostype"))),
                orUnknown(firstLine(PROC.resolve("sys/kernel/osrelease"))),
                orUnknown(firstLine(PROC.resolve("sys/kernel/version"))));
    }

    /** The processor's model. */
    public static String cpuModel() {
        return orUnknown(field(PROC.resolve("cpuinfo"), "model name"));
    }

    /** How many processors this JVM may use. */
    public static int cpuCount() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** The frequency governor of the first processor, or null if the frequency is not for the kernel to choose. */
    public static @Nullable String cpuGovernor() {
        return firstLine(SYS.resolve("devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    }

    /** Memory in bytes, or −1. */
    public static long memoryBytes() {
        String total = field(PROC.resolve("meminfo"), "MemTotal");
        return total == null || !total.endsWith(" kB")
                ? -1
                : Long.parseLong(total.substring(0, total.length() - " kB".length())) * 1024;
    }

    /** The clock that the kernel tells time by: "tsc", "hpet", "kvm-clock". */
    public static String clockSource() {
        return orUnknown(firstLine(SYS.resolve("devices/system/clocksource/clocksource0/current_clocksource")));
    }

    /** Timer slack of this thread in ns, or −1. */
    public static long timerSlackNs() {
        try {
            return TimerSlack.currentNs();
        } catch (IOException e) {
            return -1;
        }
    }

    /** A kernel parameter such as {@code net.core.rmem_max}, its columns separated by one space, or null. */
    public static @Nullable String sysctl(String name) {
        return Sysctl.text(name).map(value -> value.replaceAll("\\s+", " ")).orElse(null);
    }

    private static @Nullable String field(Path file, String name) {
        for (String line : lines(file)) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equals(name)) {
                return line.substring(colon + 1).strip();
            }
        }
        return null;
    }

    private static @Nullable String firstLine(Path file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? null : lines.get(0).strip();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // this kernel, or this container, does not have it
        }
    }

    private static String orUnknown(@Nullable String value) {
        return value == null ? "unknown" : value;
    }
}
