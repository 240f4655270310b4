package org.lagbench.runner.machine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.KernelIdentity;
import org.lagbench.core.clock.TimerSlack;
import org.lagbench.core.run.LagbenchVersion;
import org.lagbench.core.run.RunRecord;
import org.lagbench.packetio.socket.Sysctl;

/**
 * This machine, as Linux describes it under {@code /proc} and {@code /sys}. What the kernel does not provide is null or
 * "unknown", and −1 for a number; no method fails.
 */
public final class Machine {
    private static final int HEX = 16;
    private static final String UNKNOWN = "unknown";

    /** The member of the environment for the time at which the last run ended. */
    public static final String ENDED_AT = "endedAt";

    /** The member for the time at which the execution began. */
    public static final String STARTED_AT = "startedAt";

    /** The format of the environment and its version. */
    public static final String FORMAT = "lagbench-environment-1";

    private static final List<String> SYSCTLS = List.of(
            "net.core.rmem_default",
            "net.core.rmem_max",
            "net.core.wmem_default",
            "net.core.wmem_max",
            "net.core.netdev_max_backlog",
            "net.core.default_qdisc",
            "net.ipv4.tcp_rmem",
            "net.ipv4.tcp_wmem",
            "net.ipv4.tcp_congestion_control");

    private Machine() {}

    /**
     * Describes this host, its kernel and this JVM as they are now, as the file {@code environment.json} of a session.
     * Times are ISO-8601 in UTC.
     *
     * @param jvmOptions options of the sender and the receiver
     * @param bus what the IEEE-1394 transport uses: "/dev/fw*" or "virtual"
     * @param network the lab's network in YAML; null without a lab
     */
    public static Map<String, @Nullable Object> environment(
            List<String> jvmOptions, String bus, @Nullable String network) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("format", FORMAT);
        values.put("lagbench", LagbenchVersion.number());
        values.put("build", LagbenchVersion.build());
        values.put(STARTED_AT, Instant.now().toString());
        values.put(ENDED_AT, null); // until the last run has ended
        values.put("host", RunRecord.Side.thisHost());
        values.put("bootId", KernelIdentity.bootId());
        values.put("kernel", kernel());
        values.put("cpuModel", cpuModel());
        values.put("cpuCount", cpuCount());
        values.put("cpuGovernor", cpuGovernor());
        values.put("memoryBytes", memoryBytes());
        values.put("clockSource", clockSource());
        values.put("timerSlackNs", timerSlackNs());
        values.put("java", System.getProperty("java.version"));
        values.put(
                "jvm", ManagementFactory.getRuntimeMXBean().getVmName() + " " + System.getProperty("java.vm.version"));
        values.put("jvmOptions", jvmOptions);
        values.put("bus", bus);
        values.put("network", network);
        Map<String, @Nullable String> sysctls = new LinkedHashMap<>();
        SYSCTLS.forEach(name -> sysctls.put(name, sysctl(name)));
        values.put("sysctls", sysctls);
        return values;
    }

    /** Returns the name, release and build of the kernel. */
    private static String kernel() {
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

    /** Returns on how many processors this process may run. A quota does not count: it limits the time on them. */
    public static int cpuCount() {
        return field("/proc/self/status", "Cpus_allowed")
                .map(mask -> new BigInteger(mask.replace(",", ""), HEX).bitCount())
                .orElse(Runtime.getRuntime().availableProcessors());
    }

    /** Returns the frequency governor of the first processor; null if the kernel does not control the frequency. */
    public static @Nullable String cpuGovernor() {
        return firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
                .orElse(null);
    }

    /** Returns the memory in bytes, or −1. */
    private static long memoryBytes() {
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
    private static long timerSlackNs() {
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
