package org.lagbench.core.model;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.Patience;

/**
 * Counters of a host's CPUs since it started, from which two readings give the load between them. Each is
 * {@link #UNKNOWN} if the kernel does not report it. Ticks are those of {@code /proc}, 10 ms.
 *
 * @param atNs when they were read, CLOCK_REALTIME in ns
 * @param loadAverage tasks that ran or waited for a CPU or a disk, averaged over about a minute
 * @param busyTicks time in which CPUs were neither idle nor waiting for a disk, of all CPUs
 * @param stealTicks the part of it in which the hypervisor ran other machines
 * @param interruptTicks the part of it for interrupts and softirqs
 * @param allTicks time of all CPUs
 * @param cpuWaitUs time in which at least one runnable task waited for a CPU, in µs: "some" of
 *     {@code /proc/pressure/cpu}
 * @param program the process id of the outermost lagbench program that the reader belongs to
 * @param ownTicks CPU time of that program and all that it has started and that still run
 * @param cpuBusyTicks the busy time of each CPU
 * @param cpuMhz the frequency of each CPU; empty if the kernel does not report it
 */
public record HostLoad(
        long atNs,
        double loadAverage,
        long busyTicks,
        long stealTicks,
        long interruptTicks,
        long allTicks,
        long cpuWaitUs,
        long program,
        long ownTicks,
        List<Long> cpuBusyTicks,
        List<Long> cpuMhz) {
    public static final long UNKNOWN = -1;

    private static final String PROGRAM = "\0org.lagbench.";
    private static final Path STAT = Path.of("/proc/stat");
    private static final Path PRESSURE = Path.of("/proc/pressure/cpu");
    private static final Pattern WAIT = Pattern.compile("some .*total=(\\d{1,18})");
    private static final Pattern CPU = Pattern.compile("cpu(\\d{0,5}) +(\\d.*)");
    private static final long KHZ_PER_MHZ = 1_000;
    private static final Duration TICK = Duration.ofMillis(10);

    /** The columns of {@code /proc/stat}, see proc(5); guest time is part of user time. */
    private static final int IDLE = 3;

    private static final int IO_WAIT = 4;
    private static final int INTERRUPT = 5;
    private static final int SOFTIRQ = 6;
    private static final int STEAL = 7;

    public HostLoad {
        cpuBusyTicks = List.copyOf(cpuBusyTicks);
        cpuMhz = List.copyOf(cpuMhz);
    }

    /** The columns of a line of {@code /proc/stat}. */
    private record Ticks(long busy, long steal, long interrupts, long all) {
        private static final Ticks NONE = new Ticks(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);

        static Ticks parse(String text) {
            String[] columns = text.strip().split(" +", -1);
            long[] ticks = new long[STEAL + 1];
            long all = 0;
            for (int i = 0; i < Math.min(columns.length, ticks.length); i++) {
                ticks[i] = Long.parseLong(columns[i]);
                all += ticks[i];
            }
            long busy = all - ticks[IDLE] - ticks[IO_WAIT];
            return new Ticks(busy, ticks[STEAL], ticks[INTERRUPT] + ticks[SOFTIRQ], all);
        }
    }

    /** Reads the counters of this host. Takes several milliseconds, because it looks for the program's processes. */
    public static HostLoad read() {
        Ticks host = Ticks.NONE;
        List<Long> cpus = new ArrayList<>();
        for (String line : lines(STAT)) {
            Matcher matcher = CPU.matcher(line);
            if (matcher.matches()) {
                Ticks ticks = Ticks.parse(matcher.group(2));
                if (matcher.group(1).isEmpty()) {
                    host = ticks;
                } else {
                    cpus.add(ticks.busy());
                }
            }
        }
        ProcessHandle program = outermost(ProcessHandle.current());
        return new HostLoad(
                RealtimeClock.nowNs(),
                Patience.loadAverage(),
                host.busy(),
                host.steal(),
                host.interrupts(),
                host.all(),
                cpuWaitUsNow(),
                program.pid(),
                cpuTime(program).dividedBy(TICK),
                cpus,
                frequencies(cpus.size()));
    }

    /** Returns the outermost ancestor of a process that is a program of lagbench; the process itself if none is. */
    private static ProcessHandle outermost(ProcessHandle process) {
        ProcessHandle outermost = process;
        for (ProcessHandle each = process; each != null; each = each.parent().orElse(null)) {
            outermost = isProgram(each.pid()) ? each : outermost;
        }
        return outermost;
    }

    private static boolean isProgram(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1)
                    .contains(PROGRAM);
        } catch (IOException e) {
            return false; // the process has ended, or this user must not read the file
        }
    }

    /** Returns the CPU time of a process and all its descendants that still run. */
    private static Duration cpuTime(ProcessHandle program) {
        return Stream.concat(Stream.of(program), program.descendants())
                .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static List<Long> frequencies(int cpus) {
        List<Long> mhz = new ArrayList<>();
        for (int cpu = 0; cpu < cpus; cpu++) {
            lines(Path.of("/sys/devices/system/cpu/cpu" + cpu + "/cpufreq/scaling_cur_freq")).stream()
                    .map(khz -> Long.parseLong(khz) / KHZ_PER_MHZ)
                    .forEach(mhz::add);
        }
        return mhz;
    }

    private static long cpuWaitUsNow() {
        return lines(PRESSURE).stream()
                .map(WAIT::matcher)
                .filter(Matcher::matches)
                .mapToLong(wait -> Long.parseLong(wait.group(1)))
                .findFirst()
                .orElse(UNKNOWN);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // this kernel does not report it
        }
    }

    /**
     * Returns the part of the CPU time since an earlier reading in which CPUs were busy, from 0 to 1; NaN if unknown.
     */
    public double busySince(HostLoad earlier) {
        return share(busyTicks - earlier.busyTicks, earlier);
    }

    /**
     * Returns the part of the CPU time since an earlier reading that other programs and, by steal, other virtual
     * machines used, from 0 to 1; NaN if unknown.
     *
     * @param alsoOwnTicks the time of programs that are not other ones, besides the reader's
     */
    public double otherSince(HostLoad earlier, long alsoOwnTicks) {
        long other = busyTicks - interruptTicks - ownTicks - alsoOwnTicks;
        long before = earlier.busyTicks - earlier.interruptTicks - earlier.ownTicks;
        return share(Math.max(0, other - before), earlier);
    }

    private double share(long ticks, HostLoad earlier) {
        long all = allTicks - earlier.allTicks;
        boolean isKnown = earlier.allTicks >= 0 && allTicks >= 0 && all > 0 && ticks >= 0;
        return isKnown ? Math.min(1, (double) ticks / all) : Double.NaN; // idle time can go back by a tick, see proc(5)
    }

    /**
     * Returns the part of the time since an earlier reading in which a runnable task waited for a CPU; NaN if unknown.
     *
     * @param elapsedNs the time since then
     */
    public double waitSince(HostLoad earlier, long elapsedNs) {
        long waitUs = cpuWaitUs - earlier.cpuWaitUs;
        boolean isKnown = earlier.cpuWaitUs >= 0 && cpuWaitUs >= 0 && waitUs >= 0 && elapsedNs > 0;
        return isKnown ? Math.min(1, waitUs * 1e3 / elapsedNs) : Double.NaN;
    }
}
