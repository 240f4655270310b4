package org.lagbench.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.runner.machine.Machine;

/** Checks the JVM, the processors and the disk. */
final class Computer {
    private static final int ENOUGH_CORES = 2;
    private static final long ENOUGH_DISK_BYTES = 1L << 30;

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
