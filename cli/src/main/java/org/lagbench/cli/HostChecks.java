package org.lagbench.cli;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.cli.DoctorCommand.Finding;
import org.lagbench.core.cause.SchedulerRecord;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.TimerSlack;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.CpuQuota;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.MachinePolicy;
import org.lagbench.core.text.Units;
import org.lagbench.native1394.Port;
import org.lagbench.native1394.VirtualBus;
import org.lagbench.packetio.socket.PacketArrivals;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.runner.machine.Machine;

/** All checks of this machine, in the order of the doctor's report. */
final class HostChecks {
    private static final int ENOUGH_CORES = 2;
    private static final long ENOUGH_DISK_BYTES = 1L << 30;
    private static final long LOAD_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Clock sources on a slow device: a read takes a microsecond or more. */
    private static final Set<String> SLOW_SOURCES = Set.of("hpet", "acpi_pm", "jiffies", "refined-jiffies", "xen");

    /**
     * The smallest limit without a warning: enough for a burst of about ten thousand small datagrams; the common
     * default is 208 KiB.
     */
    private static final long ENOUGH_BUFFER_BYTES = 4L << 20;

    private static final int TIMEOUT_MS = 2_000;
    private static final String LOOPBACK_ADVICE =
            "Check that the interface lo is up (ip link set lo up) and no firewall blocks it.";

    private static final String BUS = "IEEE-1394";
    private static final String BUS_ADVICE =
            "Runs over IEEE-1394 will fail until this is fixed; sweep leaves them out.";

    private HostChecks() {}

    /**
     * Checks this machine in about a second, without changing it.
     *
     * @param results the directory for sessions
     * @param chrony the daemon that synchronizes this host's clock
     */
    public static List<Finding> of(Path results, ChronyClient chrony) throws LagbenchException {
        HostLoad before = HostLoad.read();
        List<Finding> findings = new ArrayList<>(List.of(
                Finding.ok(
                        "Java",
                        System.getProperty("java.version") + ", " + System.getProperty("java.vm.name") + ", "
                                + System.getProperty("java.home")),
                cores(),
                governor(),
                scheduler(),
                arrivals(),
                disk(results),
                clockSource(),
                timerSlack(),
                chrony("chrony", ClockState.ask(chrony)),
                tcp(),
                udp(),
                buffer("Receive buffer limit", SocketBuffer.RECEIVE),
                buffer("Send buffer limit", SocketBuffer.SEND),
                libraw1394()));
        findings.addAll(VirtualBus.isNeeded() ? List.of(virtualBus()) : ports());
        findings.addAll(libraryFaults());
        CpuQuota quota = CpuQuota.ofThisProcess();
        if (quota.isLimited()) {
            findings.add(quota(quota));
        }
        findings.add(load("Load", before, HostLoad::read));
        return findings;
    }

    private static Finding cores() {
        int count = Machine.cpuCount();
        String found = count + " × " + Machine.cpuModel();
        return Finding.check(
                count >= ENOUGH_CORES,
                "Processors",
                found,
                "Sender and receiver share one processor, which increases the lag: use the pace mode sleep.");
    }

    private static Finding quota(CpuQuota quota) {
        return Finding.warn(
                "CPU quota",
                String.format(
                        Locale.ROOT,
                        "%.2f processors every %.0f ms; it has stopped this control group for %.1f s in all",
                        quota.cpus(),
                        (double) quota.periodNs() / Units.NS_PER_MS,
                        (double) quota.throttledNs() / Units.NS_PER_S),
                "A run that uses more waits until the end of the period: raise the quota (docker --cpus, cpu.max).");
    }

    /** Reads the load of a host. */
    interface LoadReader {
        HostLoad read() throws LagbenchException;
    }

    /**
     * Returns how much of a host's processors other programs have used since a reading, and for half a second at least.
     * Waits no longer, although a peer's clock may stand still.
     */
    static Finding load(String subject, HostLoad before, LoadReader reader) throws LagbenchException {
        HostLoad now = reader.read();
        long missingNs = Math.min(LOAD_NS, LOAD_NS - (now.atNs() - before.atNs()));
        if (missingNs > 0) {
            LockSupport.parkNanos(missingNs);
            now = reader.read();
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
        return Finding.check(
                !(other > (double) limitPpm / MachinePolicy.ALL_PPM), // a load that is unknown is fine
                subject,
                found,
                "They delay packets: stop them, or let runs wait: --wait-for-idle 60s (machine.max-other-load is "
                        + Quantities.formatShare(limitPpm) + ").");
    }

    private static Finding governor() {
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

    private static Finding scheduler() {
        PacketThread self = PacketThread.current();
        if (self == null) {
            return Finding.warn("Scheduler", "waits for a CPU are unknown", "Use a Linux with /proc.");
        }
        try (SchedulerRecord record = SchedulerRecord.open(self, 0)) {
            String reason = record.withoutPrograms();
            return reason == null
                    ? Finding.ok(
                            "Scheduler",
                            "an observer in the kernel records waits for a CPU, with the program that ran instead")
                    : Finding.warn(
                            "Scheduler",
                            "the thread's own switches show waits for a CPU, without the program that ran instead",
                            reason);
        } catch (LagbenchException e) {
            return Finding.warn(
                    "Scheduler", "waits for a CPU are sampled, without the program that ran instead", e.sentence());
        }
    }

    private static Finding arrivals() {
        return arrivals(PacketArrivals.unavailableReason(), PacketArrivals.ofFramesUnavailableReason());
    }

    /**
     * @param refusal why the kernel has no observer of arrivals and departures; null if it has
     * @param ofFrames why it has no observer of frames over TCP; null if it has
     */
    static Finding arrivals(@Nullable LagbenchException refusal, @Nullable LagbenchException ofFrames) {
        String subject = "Arrivals";
        String found = "an observer in the kernel records when packets leave and arrive";
        if (refusal != null) {
            return Finding.warn(
                    subject, "only the sockets of some engines know when packets leave and arrive", refusal.sentence());
        }
        return ofFrames == null
                ? Finding.ok(subject, found)
                : Finding.warn(subject, found + ", except in frames over TCP, as of grpc", ofFrames.sentence());
    }

    private static Finding disk(Path results) {
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
        String advice = "A run of a million packets needs 50 MB; use another --output.";
        return Finding.check(freeBytes >= ENOUGH_DISK_BYTES, "Disk", found, advice);
    }

    private static Finding clockSource() {
        String source = Machine.clockSource();
        return SLOW_SOURCES.contains(source)
                ? Finding.warn(
                        "Clock source",
                        source + ": each stamp takes a microsecond or more",
                        "See /sys/devices/system/clocksource/clocksource0/available_clocksource for a faster one.")
                : Finding.ok("Clock source", source);
    }

    /** Checks that a thread may reduce its timer slack: by default the kernel lets it sleep 50 µs longer. */
    private static Finding timerSlack() {
        try {
            long beforeNs = TimerSlack.currentNs();
            TimerSlack.setNs(TimerSlack.MINIMUM_NS);
            TimerSlack.setNs(Math.max(TimerSlack.MINIMUM_NS, beforeNs));
            return Finding.ok("Timer slack", "can be set to 1 ns (default: " + beforeNs + " ns)");
        } catch (IOException e) {
            return Finding.warn(
                    "Timer slack",
                    "cannot be set to 1 ns: " + IoErrors.reason(e),
                    "The pace mode sleep is about 70 µs late: use spin or hybrid.");
        }
    }

    static Finding chrony(String subject, ClockState state) {
        return switch (state.source()) {
            case CHRONY -> Finding.ok(subject, state.sentence());
            case NO_DAEMON -> Finding.ok(subject, "not running; needed only between two hosts, on both");
            case UNSYNCHRONIZED, OTHER_DAEMON, FORBIDDEN ->
                Finding.warn(subject, state.sentence(), "A synchronized clock is needed only between two hosts.");
        };
    }

    private static Finding tcp() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket()) {
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()), TIMEOUT_MS);
            return Finding.ok("TCP", "connects over loopback");
        } catch (IOException e) {
            return Finding.missing("TCP", "does not connect over loopback: " + IoErrors.reason(e), LOOPBACK_ADVICE);
        }
    }

    private static Finding udp() {
        try (DatagramSocket receiver = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                DatagramSocket sender =
                        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            receiver.setSoTimeout(TIMEOUT_MS);
            sender.send(new DatagramPacket(new byte[1], 1, receiver.getLocalSocketAddress()));
            receiver.receive(new DatagramPacket(new byte[1], 1));
            return Finding.ok("UDP", "works over loopback");
        } catch (IOException e) {
            return Finding.missing("UDP", "does not work over loopback: " + IoErrors.reason(e), LOOPBACK_ADVICE);
        }
    }

    private static Finding buffer(String subject, SocketBuffer buffer) {
        OptionalLong bytes = buffer.limitBytes();
        return bytes.isPresent()
                ? buffer(subject, buffer.limitName(), bytes.getAsLong())
                : Finding.warn(
                        subject,
                        "unknown: this kernel does not show " + buffer.limitName(),
                        "Check it on the host of this container.");
    }

    /** @param bytes the limit of the buffer by a kernel parameter */
    static Finding buffer(String subject, String sysctl, long bytes) {
        String found = String.format(Locale.ROOT, "%s = %d bytes", sysctl, bytes);
        return bytes >= ENOUGH_BUFFER_BYTES
                ? Finding.ok(subject, found)
                : Finding.warn(
                        subject,
                        found + ": a UDP flood loses packets, because larger buffers are not granted",
                        "sudo sysctl -w " + sysctl + "=" + ENOUGH_BUFFER_BYTES);
    }

    private static Finding libraw1394() {
        try {
            Port.list();
            return Finding.ok("libraw1394", "loads");
        } catch (LagbenchException e) {
            return Finding.warn("libraw1394", e.sentence(), BUS_ADVICE);
        }
    }

    private static List<Finding> libraryFaults() {
        List<Finding> findings = new ArrayList<>();
        for (Engine engine : Engines.load().all()) {
            try {
                Engine.KnownFault fault = engine.knownFault();
                if (fault != null) {
                    findings.add(Finding.warn("engine " + engine.name(), fault.found(), fault.advice()));
                }
            } catch (LagbenchException e) {
                // ignored: without its library, the engine has no fault; a run says what is missing
            }
        }
        return findings;
    }

    private static Finding virtualBus() {
        List<Path> missing = VirtualBus.missingFiles();
        return missing.isEmpty()
                ? Finding.ok(BUS, "no port (no /dev/fw*): runs use the virtual bus")
                : Finding.warn(
                        BUS,
                        missing.stream()
                                .map(file -> String.valueOf(file.getFileName()))
                                .collect(Collectors.joining(
                                        " and ",
                                        "no port, and no virtual bus: ",
                                        " missing in " + missing.get(0).getParent())),
                        "Build it: mvn -pl native1394 -am package");
    }

    private static List<Finding> ports() {
        List<Finding> findings = new ArrayList<>();
        for (Path device : Port.deviceFiles()) {
            if (!Files.isReadable(device) || !Files.isWritable(device)) {
                findings.add(
                        Finding.warn(BUS, device + " exists, but this user may not open it", Port.PERMISSION_ADVICE));
            }
        }
        try {
            for (Port port : Port.list()) {
                findings.add(Finding.ok(
                        BUS,
                        "port " + port.number() + " (" + port.device() + "): " + port.nodes() + " nodes, S"
                                + port.speed() + free(port)));
            }
        } catch (LagbenchException e) {
            findings.add(Finding.warn(BUS, e.sentence(), BUS_ADVICE));
        }
        return findings;
    }

    /**
     * Formats the bandwidth and channels that the resource manager has left. Programs that ended without releasing
     * their part still hold it.
     */
    private static String free(Port port) {
        return port.bandwidthUnits() < 0
                ? ""
                : ", free: " + port.bandwidthUnits() + " units of bandwidth, " + Long.bitCount(port.channels())
                        + " channels";
    }
}
