package org.lagbench.core.cause;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockReadings;
import org.lagbench.core.clock.TimeNamespace;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.file.PidNamespace;
import org.lagbench.core.text.Endpoint;

/**
 * The times at which the kernel retransmits segments of one TCP connection, by its tracepoint
 * {@code tcp:tcp_retransmit_skb}, in an instance of tracefs with its own buffer. Only root may trace, and tracefs must
 * be mounted; in a mount namespace like that of {@code ip netns exec}, this mounts it. Exact to a microsecond. Not
 * thread-safe.
 */
public final class RetransmissionTrace implements AutoCloseable {
    private static final String MOUNT = "/sys/kernel/tracing";
    private static final String EVENT = "events/tcp/tcp_retransmit_skb";
    private static final String INSTANCES = "instances";
    private static final String PREFIX = "lagbench-";
    private static final Pattern LINE = Pattern.compile(
            "\\s(?<s>\\d+)\\.(?<us>\\d{6}): tcp_retransmit_skb: .* daddr=(?<v4>\\S+) .* daddrv6=(?<v6>\\S+)"
                    + " state=\\S+(?: err=(?<error>-?\\d+))?$");

    private final Path instance;
    private final InetAddress remote;
    private boolean closed;

    private RetransmissionTrace(Path instance, InetAddress remote) {
        this.instance = instance;
        this.remote = remote;
    }

    /**
     * Starts to trace a connection.
     *
     * @param localPort the sender's port
     * @param remote the receiver's numeric address and port
     * @return null if this process may not trace, or there is nothing to trace with
     * @throws IOException if the kernel refuses to trace
     */
    public static @Nullable RetransmissionTrace start(int localPort, Endpoint remote) throws IOException {
        Path tracefs = mounted();
        if (tracefs == null && isOwnMountNamespace()) {
            mount();
            tracefs = mounted();
        }
        return tracefs != null
                        && Files.isDirectory(tracefs.resolve(EVENT))
                        && Files.isWritable(tracefs.resolve(INSTANCES))
                ? start(tracefs.resolve(INSTANCES), localPort, remote)
                : null;
    }

    private static @Nullable Path mounted() throws IOException {
        for (String mount : Files.readAllLines(Path.of("/proc/self/mounts"))) {
            String[] fields = mount.split(" ", -1);
            if (fields[2].equals("tracefs")) {
                return Path.of(fields[1]);
            }
        }
        return null;
    }

    /** Returns whether an ancestor of this process has other mounts: an administrator's shell, or the first process. */
    private static boolean isOwnMountNamespace() {
        Path own = mountNamespace(ProcessHandle.current());
        return Stream.iterate(
                        ProcessHandle.current().parent(),
                        Optional::isPresent,
                        child -> child.flatMap(ProcessHandle::parent))
                .map(ancestor -> mountNamespace(ancestor.orElseThrow()))
                .anyMatch(other -> other != null && own != null && !other.equals(own));
    }

    /** Returns the mount namespace of a process; null if this process may not see it. */
    private static @Nullable Path mountNamespace(ProcessHandle process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/ns/mnt"));
        } catch (IOException e) {
            return null; // a process with more privileges than this one, or an ended one
        }
    }

    private static void mount() throws IOException {
        Process mount = new ProcessBuilder("mount", "-t", "tracefs", "tracefs", MOUNT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Uninterruptibly.awaitEnd(mount); // mounted() finds whether it succeeded
    }

    @SuppressWarnings("AddressSelection") // an address needs no lookup
    private static RetransmissionTrace start(Path instances, int localPort, Endpoint remote) throws IOException {
        String prefix = PREFIX + PidNamespace.own() + "-";
        removeThoseOfEndedProcesses(instances, prefix);
        Path instance = instances.resolve(prefix + ProcessHandle.current().pid());
        Files.createDirectory(instance);
        RetransmissionTrace trace = new RetransmissionTrace(instance, InetAddress.getByName(remote.host()));
        try {
            trace.write("trace_clock", "mono");
            trace.write(EVENT + "/filter", "sport == " + localPort + " && dport == " + remote.port());
            trace.write(EVENT + "/enable", "1");
            return trace;
        } catch (IOException e) {
            trace.close();
            throw e;
        }
    }

    /** Removes the instances of this PID namespace; the processes of others cannot be seen from here. */
    static void removeThoseOfEndedProcesses(Path instances, String prefix) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(instances, prefix + "[0-9]*")) {
            for (Path instance : left) {
                String pid = String.valueOf(instance.getFileName()).substring(prefix.length());
                if (ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    Files.deleteIfExists(instance);
                }
            }
        }
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(instance.resolve(file), text, StandardOpenOption.WRITE);
    }

    /** Returns the times so far, CLOCK_REALTIME in ns, ascending. */
    public long[] timesNs() throws IOException {
        long realtimeMinusMonotonicNs = ClockReadings.take().differenceNs() + TimeNamespace.monotonicAheadNs();
        return Files.readAllLines(instance.resolve("trace")).stream()
                .map(LINE::matcher)
                .filter(Matcher::find)
                .filter(this::isRetransmission)
                .mapToLong(
                        line -> Long.parseLong(line.group("s") + line.group("us")) * 1_000 + realtimeMinusMonotonicNs)
                .sorted()
                .toArray();
    }

    @SuppressWarnings("AddressSelection") // an address needs no lookup
    private boolean isRetransmission(Matcher line) {
        String error = line.group("error");
        try {
            return (error == null || error.equals("0"))
                    && InetAddress.getByName(line.group(remote instanceof Inet4Address ? "v4" : "v6"))
                            .equals(remote);
        } catch (IOException e) {
            throw new IllegalStateException("the kernel wrote no address: " + line.group(), e);
        }
    }

    /** Ends the trace and removes it. May be called more than once. */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            write(EVENT + "/enable", "0");
            Files.delete(instance);
        }
    }
}
