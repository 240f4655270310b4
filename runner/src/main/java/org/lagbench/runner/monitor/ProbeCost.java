package org.lagbench.runner.monitor;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lagbench.control.ControlConnection;
import org.lagbench.runner.machine.Machine;

/**
 * What the probes of a session have cost this host: CPU time of this process and its children, and bytes of the packets
 * and control connections without headers. Not thread-safe.
 */
public final class ProbeCost {
    /** Ticks of {@code /proc} in a second; a constant of Linux on every platform of lagbench. */
    private static final double TICKS_PER_S = 100;

    /** The number of the first of the four CPU times in {@code /proc/self/stat} after the program's name. */
    private static final int FIRST_TIME = 11;

    private final long startNs = System.nanoTime();
    private final double startCpuS = cpuS();
    private final long startBytes = ControlConnection.trafficBytes();
    private long probes;
    private long packetBytes;

    /** Adds a probe, complete or not. */
    void add(Probe probe) {
        probes++;
        packetBytes += probe.packetBytes();
    }

    /**
     * The cost so far.
     *
     * @param probes number of probes
     * @param cpuS CPU time in s, of everything this process did
     * @param elapsedS time in s
     * @param bytes sent and received, without headers
     */
    public record Cost(long probes, double cpuS, double elapsedS, long bytes) {
        /** Returns the bytes per day if the probes continue at this rate. */
        public double bytesPerDay() {
            return elapsedS > 0 ? bytes / elapsedS * TimeUnit.DAYS.toSeconds(1) : Double.NaN;
        }
    }

    /** Returns the cost so far. */
    public Cost cost() {
        return new Cost(
                probes,
                cpuS() - startCpuS,
                (System.nanoTime() - startNs) / (double) TimeUnit.SECONDS.toNanos(1),
                packetBytes + ControlConnection.trafficBytes() - startBytes);
    }

    /** Returns the CPU time of this process and of the children that have ended. */
    private static double cpuS() {
        List<String> lines = Machine.lines("/proc/self/stat");
        if (lines.isEmpty()) {
            return Double.NaN;
        }
        String afterName =
                lines.get(0).substring(lines.get(0).lastIndexOf(')') + 1).strip();
        String[] columns = afterName.split(" ", -1);
        long ticks = 0;
        for (int i = FIRST_TIME; i < FIRST_TIME + 4; i++) {
            ticks += Long.parseLong(columns[i]);
        }
        return ticks / TICKS_PER_S;
    }
}
