package org.lagbench.core.cause;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The threads that lagbench's programs start, by the names that the kernel records: at most 15 characters. A thread of
 * another program with one of these names counts as lagbench's.
 */
final class OwnThreads {
    private static final int KERNEL_NAME = 15;

    private static final Set<String> NAMES = Stream.of(
                    "analysis-partition",
                    "bandwidth-monitor",
                    "bus-clock",
                    "c engine",
                    "capture-growth",
                    "capture-pages",
                    "chunk-compressor",
                    "clock-exchange",
                    "clock-monitor",
                    "clock-step-monitor",
                    "connection",
                    "control-accept",
                    "control-reader",
                    "echo-tcp",
                    "echo-udp",
                    "error-output",
                    "heartbeat",
                    "intervals",
                    "monitor-page",
                    "observer-switch",
                    "packets",
                    "receiver",
                    "replies",
                    "shutdown",
                    "socket-monitor",
                    "stall-meter",
                    "stall-monitor",
                    "standard-input",
                    "stream",
                    "transfer-monitor")
            .map(name -> name.substring(0, Math.min(name.length(), KERNEL_NAME)))
            .collect(Collectors.toUnmodifiableSet());

    /** The names that end in a number, an address or a run. */
    private static final Pattern NUMBERED = Pattern.compile(
            "(control-|live-page-|netty-loop-)[0-9].*|(agent|requester)-.*|(sender|receiver)-(output|watch)");

    /** The programs that send and receive packets; labs and virtual buses are part of the path. */
    private static final Pattern PROGRAM = Pattern.compile("lagbench-(?!busd|flow|relay).*");

    private OwnThreads() {}

    /** Returns whether a thread is lagbench's, by its name in the kernel's record of the scheduler. */
    static boolean contains(String kernelName) {
        return NAMES.contains(kernelName)
                || NUMBERED.matcher(kernelName).matches()
                || PROGRAM.matcher(kernelName).matches();
    }
}
