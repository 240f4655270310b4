package org.lagbench.packetio.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.SchedulerRecord;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Reads the switches and wake-ups of Linux's scheduler (scheduler_record.h), or where that is not allowed the switches
 * of the thread alone (thread_switches.h).
 */
final class LinuxSchedulerRecord implements SchedulerRecord {
    private static final Path PID_NAMESPACE = Path.of("/proc/self/ns/pid");

    /** The link of the PID namespace whose numbers the kernel records. */
    private static final String INITIAL = "pid:[4026531836]";

    private final long address;
    private final @Nullable String withoutPrograms;
    private final boolean isOfThread;
    private long lost;
    private boolean closed;

    private LinuxSchedulerRecord(long address, @Nullable String withoutPrograms) {
        this.address = address;
        this.withoutPrograms = withoutPrograms;
        this.isOfThread = withoutPrograms != null;
    }

    /** The service provider of the record, named in {@code META-INF/services}. */
    public static final class Provider implements SchedulerRecord.Provider {
        @Override
        public SchedulerRecord open(long thread, long minNs) throws LagbenchException {
            LinuxSockets.load();
            if (!isInInitialNamespace()) {
                return openOfThread(
                        thread,
                        minNs,
                        "This process is in a PID namespace, for example of a container; start it in the host's.");
            }
            long opened = LinuxSchedulerRecord.open(thread, minNs);
            return opened >= 0
                    ? new LinuxSchedulerRecord(opened, null)
                    : openOfThread(
                            thread,
                            minNs,
                            "The scheduler's tracepoints cannot be read: " + NativeSocket.reason((int) opened)
                                    + ". Start both sides as root.");
        }

        static SchedulerRecord openOfThread(long thread, long minNs, String withoutPrograms) throws LagbenchException {
            LinuxSockets.load();
            long opened = LinuxSchedulerRecord.openOfThread(thread, minNs);
            if (opened < 0) {
                throw ExitCode.UNAVAILABLE.failure(withoutPrograms + " The thread's own switches cannot be read: "
                        + NativeSocket.reason((int) opened) + "; see kernel.perf_event_paranoid.");
            }
            return new LinuxSchedulerRecord(opened, withoutPrograms);
        }

        private static boolean isInInitialNamespace() {
            try {
                return Files.readSymbolicLink(PID_NAMESPACE).toString().equals(INITIAL);
            } catch (IOException e) {
                return false; // /proc is missing or of another namespace
            }
        }
    }

    @Override
    public int read(long[] waits) {
        return read(address, isOfThread, waits);
    }

    @Override
    public long lost() {
        return closed ? lost : lost(address, isOfThread);
    }

    @Override
    public @Nullable String withoutPrograms() {
        return withoutPrograms;
    }

    @Override
    public void close() {
        if (!closed) {
            lost = lost(address, isOfThread);
            closed = true;
            close(address, isOfThread);
        }
    }

    /** Returns an address, or −errno. */
    private static native long open(long thread, long minNs);

    private static native long openOfThread(long thread, long minNs);

    private static native int read(long address, boolean isOfThread, long[] waits);

    private static native long lost(long address, boolean isOfThread);

    private static native void close(long address, boolean isOfThread);
}
