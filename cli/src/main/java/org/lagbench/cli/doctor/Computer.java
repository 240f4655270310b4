package org.lagbench.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.lagbench.core.cause.PacketThread;
import org.lagbench.core.cause.SchedulerRecord;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.run.MachinePolicy;
import org.lagbench.core.text.Units;
import org.lagbench.runner.machine.Machine;

/** Checks the JVM, the processors and the disk. */
final class Computer {
    private static final int ENOUGH_CORES = 2;
    private static final long ENOUGH_DISK_BYTES = 1L << 30;

    private static final long LOAD_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private Computer() {}

    static Finding java() {
        String found = System.getProperty("java.version") + ", " + System.getProperty("java.vm.name") + ", "
                + System.getProperty("java.home");
        return Finding.ok("Java", found);
    }

    static Finding cores() {
        int count = Machine.cpuCount();
        String found = count + " × " + Machine.cpuModel();
        return count >= ENOUGH_CORES
                ? Finding.ok("Processors", found)
                : Finding.warn(
                        "Processors",
                        found,
                        "Sender and receiver share one processor, which increases the lag: use the pace mode sleep.");
    }

    /** Reads the load of a host. */
    interface LoadReader {
        HostLoad read() throws LagbenchException;
    }

    /**
     * Returns how much of a host's processors other programs have used since a reading, and for half a second at least.
     */
    static Finding load(String subject, HostLoad before, LoadReader reader) throws LagbenchException {
        HostLoad now = reader.read();
        for (; now.atNs() - before.atNs() < LOAD_NS; now = reader.read()) {
            LockSupport.parkNanos(LOAD_NS - (now.atNs() - before.atNs()));
        }
        double other = now.otherSince(before, 0);
        int limitPpm = MachinePolicy.DEFAULT.maximumOtherLoadPpm();
        String found = Double.isNaN(other)
                ? "unknown: the kernel does not report it"
                : String.format(
                        Locale.ROOT,
                        "other programs use %.0f %% of the processors; load average %.1f",
                        Units.PERCENT * other,
                        now.loadAverage());
        return other > (double) limitPpm / MachinePolicy.ALL_PPM
                ? Finding.warn(
                        subject,
                        found,
                        "They delay packets: stop them, or let runs wait: --wait-for-idle 60s (machine.max-other-load"
                                + " is " + Quantities.formatShare(limitPpm) + ").")
                : Finding.ok(subject, found);
    }

    static Finding governor() {
        String governor = Machine.cpuGovernor();
        if (governor == null) {
            return Finding.ok("CPU governor", "none: the kernel does not control the frequency");
        }
        return governor.equals("performance")
                ? Finding.ok("CPU governor", governor)
                : Finding.warn(
                        "CPU governor",
                        governor + ": lowers the frequency between packets",
                        "sudo cpupower frequency-set -g performance");
    }

    static Finding scheduler() {
        PacketThread self = PacketThread.current();
        if (self == null) {
            return Finding.warn("Causes", "waits for a CPU are unknown", "Use a Linux with /proc.");
        }
        try {
            SchedulerRecord.open(self, 0).close();
            return Finding.ok("Causes", "waits for a CPU have the name of the program that ran instead");
        } catch (LagbenchException e) {
            return Finding.warn(
                    "Causes", "waits for a CPU are sampled, without the program that ran instead", e.sentence());
        }
    }

    static Finding disk(Path results) {
        Path existing = results.toAbsolutePath().normalize();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        if (!Files.isDirectory(existing) || !Files.isWritable(existing)) {
            return Finding.missing("Disk", existing + " is not a writable directory", "Use another --output.");
        }
        // FileStore needs the mount point, which does not exist in a chroot.
        long freeBytes = existing.toFile().getUsableSpace();
        String found = String.format("%,d MiB free in %s", freeBytes >> 20, existing);
        return freeBytes >= ENOUGH_DISK_BYTES
                ? Finding.ok("Disk", found)
                : Finding.warn("Disk", found, "A run of a million packets needs 50 MB; use another --output.");
    }
}
