package org.lagbench.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups in files as Linux writes them, below a directory instead of /proc and /sys. */
class CpuQuotaTest {
    @TempDir
    private Path directory;

    private Path process;
    private Path mount;

    @BeforeEach
    void createDirectories() throws Exception {
        process = Files.createDirectory(directory.resolve("proc"));
        mount = Files.createDirectories(directory.resolve("sys/fs/cgroup/cpu,cpuacct"));
    }

    @Test
    void readsControlGroupsVersion1OfHost() throws Exception {
        write(process.resolve("cgroup"), "9:name=systemd:/\n1:cpu,cpuacct:/system/run\n0::/other\n");
        mounted("/", "cgroup cgroup rw,cpu,cpuacct");
        version1(mount, -1, 0);
        version1(mount.resolve("system"), 150_000, 7);
        version1(mount.resolve("system/run"), 50_000, 1_690_000_000);
        CpuQuota quota = CpuQuota.of(process);
        assertThat(quota.cpus()).isEqualTo(0.5);
        assertThat(quota.periodNs()).isEqualTo(100_000_000);
        assertThat(quota.throttledNs()).isEqualTo(1_690_000_007);
    }

    /** Docker without a namespace of control groups mounts the container's group. */
    @Test
    void readsControlGroupsVersion1OfContainer() throws Exception {
        write(process.resolve("cgroup"), "1:cpu,cpuacct:/docker/4711\n");
        mounted("/docker/4711", "cgroup cgroup rw,cpu,cpuacct");
        version1(mount, 200_000, 5);
        assertThat(CpuQuota.of(process).cpus()).isEqualTo(2);
    }

    @Test
    void readsControlGroupsVersion2() throws Exception {
        write(process.resolve("cgroup"), "0::/user/run\n");
        mounted("/", "cgroup2 cgroup2 rw,nsdelegate");
        version2(mount.resolve("user"), "max 100000", 9);
        version2(mount.resolve("user/run"), "25000 50000", 1_690_000);
        CpuQuota quota = CpuQuota.of(process);
        assertThat(quota.isLimited()).isTrue();
        assertThat(quota.cpus()).isEqualTo(0.5);
        assertThat(quota.periodNs()).isEqualTo(50_000_000);
        assertThat(quota.throttledNs()).isEqualTo(1_690_000_000);
    }

    /** The group of a namespace's root has the path / there, and another process the path of a parent's sibling. */
    @Test
    void readsTheMountOfAnotherNamespace() throws Exception {
        write(process.resolve("cgroup"), "0::/../sibling\n");
        mounted("/", "cgroup2 cgroup2 rw");
        version2(mount, "50000 100000", 1);
        assertThat(CpuQuota.of(process).cpus()).isEqualTo(0.5);
    }

    @Test
    void hasNoQuotaWithoutControlGroups() {
        CpuQuota quota = CpuQuota.of(process);
        assertThat(quota.isLimited()).isFalse();
        assertThat(quota.cpus()).isInfinite();
        assertThat(quota.throttledNs()).isZero();
    }

    private void mounted(String root, String system) throws Exception {
        write(
                process.resolve("mountinfo"),
                "30 24 0:26 / /sys rw shared:7 - sysfs sysfs rw\n" + "31 30 0:27 " + root + " " + mount
                        + " rw,relatime shared:8 - " + system + "\n");
    }

    private static void version1(Path group, long quotaUs, long throttledNs) throws Exception {
        Files.createDirectories(group);
        write(group.resolve("cpu.cfs_quota_us"), quotaUs + "\n");
        write(group.resolve("cpu.cfs_period_us"), "100000\n");
        write(
                group.resolve("cpu.stat"),
                "nr_periods 20\nnr_throttled 19\nthrottled_time " + throttledNs + "\nnr_bursts 0\nburst_time 0\n");
    }

    private static void version2(Path group, String max, long throttledUs) throws Exception {
        Files.createDirectories(group);
        write(group.resolve("cpu.max"), max + "\n");
        write(
                group.resolve("cpu.stat"),
                "usage_usec 1\nuser_usec 1\nsystem_usec 0\nnr_periods 20\nnr_throttled 19\nthrottled_usec "
                        + throttledUs + "\n");
    }

    private static void write(Path file, String text) throws Exception {
        Files.writeString(file, text);
    }
}
