package org.lagbench.core.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of CPU time of the control groups that this process is in, of version 1 or 2: see sched-bwc.rst and
 * cgroup-v2.rst of Linux. A group that has used its quota does not run until the end of the period. Thread-safe.
 */
public final class CpuQuota {
    private static final Path OF_PROCESS = Path.of("/proc/self");
    private static final String CONTROLLER = "cpu";

    /** The number of a process's group of version 2 in its file of groups. */
    private static final String VERSION_2 = "0";

    private static final Map<String, Long> THROTTLED_NS = Map.of("throttled_time", 1L, "throttled_usec", 1_000L);

    private final List<Group> groups;

    private CpuQuota(List<Group> groups) {
        this.groups = groups;
    }

    /**
     * A group with a quota.
     *
     * @param stat its file with the time that it was throttled
     * @param cpus the quota, in CPUs
     * @param periodNs how often the group gets its quota
     */
    private record Group(Path stat, double cpus, long periodNs) {
        /** Returns the group of a directory; null if it has no quota. */
        static @Nullable Group of(Path directory) {
            String version2 = text(directory.resolve("cpu.max"));
            String limits = version2 == null
                    ? text(directory.resolve("cpu.cfs_quota_us")) + " " + text(directory.resolve("cpu.cfs_period_us"))
                    : version2;
            if (!limits.matches("[1-9][0-9]{0,15} [1-9][0-9]{0,15}")) {
                return null; // "max" or −1: no quota
            }
            String[] quotaAndPeriod = limits.split(" ", -1);
            long periodUs = Long.parseLong(quotaAndPeriod[1]);
            return new Group(
                    directory.resolve("cpu.stat"),
                    (double) Long.parseLong(quotaAndPeriod[0]) / periodUs,
                    periodUs * 1_000);
        }

        long throttledNs() {
            String lines = text(stat);
            for (String line : lines == null ? new String[0] : lines.split("\n", -1)) {
                String[] words = line.split(" ", -1);
                Long unitNs = THROTTLED_NS.get(words[0]);
                if (unitNs != null) {
                    return Long.parseLong(words[1]) * unitNs;
                }
            }
            return 0;
        }
    }

    /** Returns the quotas of this process, as they are now. */
    public static CpuQuota ofThisProcess() {
        return of(OF_PROCESS);
    }

    /**
     * Returns the quotas of a process.
     *
     * @param process its directory in {@code /proc}
     */
    static CpuQuota of(Path process) {
        List<Group> groups = new ArrayList<>();
        for (String membership : lines(process.resolve("cgroup"))) {
            String[] fields = membership.split(":", 3);
            boolean isVersion2 = fields[0].equals(VERSION_2);
            if (isVersion2 || List.of(fields[1].split(",", -1)).contains(CONTROLLER)) {
                for (String mount : lines(process.resolve("mountinfo"))) {
                    addGroups(mount, fields[2], isVersion2, groups);
                }
            }
        }
        return new CpuQuota(List.copyOf(groups));
    }

    /** Adds the groups with a quota from a process's group up to the root of a mount, see proc_pid_mountinfo(5). */
    private static void addGroups(String mount, String path, boolean isVersion2, List<Group> groups) {
        String[] ofMountAndSystem = mount.split(" - ", 2);
        String[] ofMount = ofMountAndSystem[0].split(" ", -1);
        String[] ofSystem = ofMountAndSystem[ofMountAndSystem.length - 1].split(" ", -1);
        boolean isOfGroups = isVersion2
                ? ofSystem[0].equals("cgroup2")
                : ofSystem[0].equals("cgroup")
                        && List.of(ofSystem[ofSystem.length - 1].split(",", -1)).contains(CONTROLLER);
        if (!isOfGroups) {
            return;
        }
        Path root = Path.of(ofMount[3]);
        Path top = Path.of(ofMount[4]);
        Path below = Path.of(path).startsWith(root) ? top.resolve(root.relativize(Path.of(path))) : top;
        Path group = below.normalize().startsWith(top) ? below.normalize() : top;
        for (Path each = group; each != null && each.startsWith(top); each = each.getParent()) {
            Group found = Group.of(each);
            if (found != null) {
                groups.add(found);
            }
        }
    }

    /** Returns whether any group has a quota. */
    public boolean isLimited() {
        return !groups.isEmpty();
    }

    /** Returns how many CPUs the process may use, by its smallest quota; infinite if there is none. */
    public double cpus() {
        return groups.stream().mapToDouble(Group::cpus).min().orElse(Double.POSITIVE_INFINITY);
    }

    /** Returns the longest period of the quotas, in ns: no group is throttled for longer at a time. */
    public long periodNs() {
        return groups.stream().mapToLong(Group::periodNs).max().orElse(0);
    }

    /**
     * Returns how long the groups were throttled since they were created, in ns. The kernel adds the time of each CPU
     * when that CPU may run the group again.
     */
    public long throttledNs() {
        long sumNs = 0;
        for (Group group : groups) {
            sumNs += group.throttledNs();
        }
        return sumNs;
    }

    private static List<String> lines(Path file) {
        String text = text(file);
        return text == null ? List.of() : text.lines().toList();
    }

    private static @Nullable String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return null; // the kernel has no such file
        }
    }
}
