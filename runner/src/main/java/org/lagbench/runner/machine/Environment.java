package org.lagbench.runner.machine;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.KernelIdentity;
import org.lagbench.core.run.LagbenchVersion;
import org.lagbench.core.run.RunRecord;

/**
 * The environment of runs: the file {@code environment.json} of a session. Times are ISO-8601 in UTC. What the platform
 * does not provide is null or "unknown", and −1 for a number.
 */
public final class Environment {
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

    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    /**
     * Describes this host, its kernel and this JVM as they are now.
     *
     * @param jvmOptions options of the sender and the receiver
     * @param bus what the IEEE-1394 transport uses: "/dev/fw*" or "virtual"
     * @param network the lab's network in YAML; null without a lab
     */
    public Environment(List<String> jvmOptions, String bus, @Nullable String network) {
        values.put("format", "lagbench-environment-1");
        values.put("lagbench", LagbenchVersion.number());
        values.put("startedAt", Instant.now().toString());
        values.put("endedAt", null); // until the last run has ended
        values.put("host", RunRecord.Side.thisHost());
        values.put("bootId", KernelIdentity.bootId());
        values.put("kernel", Machine.kernel());
        values.put("cpuModel", Machine.cpuModel());
        values.put("cpuCount", Machine.cpuCount());
        values.put("cpuGovernor", Machine.cpuGovernor());
        values.put("memoryBytes", Machine.memoryBytes());
        values.put("clockSource", Machine.clockSource());
        values.put("timerSlackNs", Machine.timerSlackNs());
        values.put("java", System.getProperty("java.version"));
        values.put(
                "jvm", ManagementFactory.getRuntimeMXBean().getVmName() + " " + System.getProperty("java.vm.version"));
        values.put("jvmOptions", jvmOptions);
        values.put("bus", bus);
        values.put("network", network);
        Map<String, @Nullable String> sysctls = new LinkedHashMap<>();
        SYSCTLS.forEach(name -> sysctls.put(name, Machine.sysctl(name)));
        values.put("sysctls", sysctls);
    }

    /** Records when the last run ended. */
    public void end(Instant at) {
        values.put("endedAt", at.toString());
    }

    /** Returns the content of the file. */
    public String toJson() {
        return Json.text(values) + "\n";
    }
}
