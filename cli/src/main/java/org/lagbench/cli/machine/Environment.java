package org.lagbench.cli.machine;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.BootId;
import org.lagbench.core.run.ThisHost;

/**
 * In what surroundings runs were made: the file {@code environment.json} of a session. Times are ISO-8601 in UTC; what
 * the platform does not tell is null or "unknown", numbers then −1.
 *
 * @param format {@link #FORMAT}
 * @param lagbench version of lagbench
 * @param startedAt when the first run was about to start
 * @param endedAt when the last run had ended; null while runs are going on, or if that was cut off
 * @param host name of the host that started the runs
 * @param bootId its kernel's boot identifier
 * @param kernel name, release and build of its kernel
 * @param cpuModel its processor
 * @param cpuCount how many processors could be used
 * @param cpuGovernor frequency governor; null if the kernel does not choose the frequency
 * @param memoryBytes memory
 * @param clockSource what the kernel tells time by
 * @param timerSlackNs timer slack that processes started with
 * @param java version of the JVM
 * @param jvm name and build of the JVM
 * @param jvmOptions options with which sender and receiver were started
 * @param bus what the IEEE-1394 transport runs on here: "/dev/fw*" or "virtual"
 * @param network the network that was made for the runs, in YAML; null for the machine's own
 * @param sysctls kernel parameters that govern sockets, by name; null if the kernel has none of that name
 */
public record Environment(
        String format,
        String lagbench,
        String startedAt,
        @Nullable String endedAt,
        String host,
        String bootId,
        String kernel,
        String cpuModel,
        int cpuCount,
        @Nullable String cpuGovernor,
        long memoryBytes,
        String clockSource,
        long timerSlackNs,
        String java,
        String jvm,
        List<String> jvmOptions,
        String bus,
        @Nullable String network,
        Map<String, @Nullable String> sysctls) {
    /** Tells the format and its version. */
    public static final String FORMAT = "lagbench-environment-1";

    /** The kernel parameters kept. */
    static final List<String> SYSCTLS = List.of(
            "net.core.rmem_default",
            "net.core.rmem_max",
            "net.core.wmem_default",
            "net.core.wmem_max",
            "net.core.netdev_max_backlog",
            "net.core.default_qdisc",
            "net.ipv4.tcp_rmem",
            "net.ipv4.tcp_wmem",
            "net.ipv4.tcp_congestion_control");

    /** The surroundings as they are now. */
    public static Environment now(
            String lagbench, String startedAt, List<String> jvmOptions, String bus, @Nullable String network) {
        Map<String, @Nullable String> sysctls = new LinkedHashMap<>();
        SYSCTLS.forEach(name -> sysctls.put(name, Machine.sysctl(name)));
        return new Environment(
                FORMAT,
                lagbench,
                startedAt,
                null,
                ThisHost.name(),
                BootId.current(),
                Machine.kernel(),
                Machine.cpuModel(),
                Machine.cpuCount(),
                Machine.cpuGovernor(),
                Machine.memoryBytes(),
                Machine.clockSource(),
                Machine.timerSlackNs(),
                System.getProperty("java.version"),
                ManagementFactory.getRuntimeMXBean().getVmName() + " " + System.getProperty("java.vm.version"),
                jvmOptions,
                bus,
                network,
                sysctls);
    }

    /** The same, ended. */
    public Environment ended(String at) {
        return new Environment(
                format,
                lagbench,
                startedAt,
                at,
                host,
                bootId,
                kernel,
                cpuModel,
                cpuCount,
                cpuGovernor,
                memoryBytes,
                clockSource,
                timerSlackNs,
                java,
                jvm,
                jvmOptions,
                bus,
                network,
                sysctls);
    }
}
