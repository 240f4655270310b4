package org.lagbench.packetio.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.cause.SchedulerRecord;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Reads the switches and wake-ups of Linux's scheduler (scheduler_record.h). */
final class LinuxSchedulerRecord implements SchedulerRecord {
    private static final Path PID_NAMESPACE = Path.of("/proc/self/ns/pid");

    /** The link of the PID namespace whose numbers the kernel records. */
    private static final String INITIAL = "pid:[4026531836]";

    private final long address;
    private long lost;
    private boolean closed;

    private LinuxSchedulerRecord(long address) {
        this.address = address;
    }

    /** The service provider of the record, named in {@code META-INF/services}. */
    public static final class Provider implements SchedulerRecord.Provider {
        @Override
        public SchedulerRecord open(long thread, long minNs) throws LagbenchException {
            LinuxSockets.load();
            if (!isInInitialNamespace()) {
                throw ExitCode.UNAVAILABLE.failure(
                        "This process is in a PID namespace, for example of a container; start it in the host's.");
            }
            long opened = LinuxSchedulerRecord.open(thread, minNs);
            if (opened < 0) {
                throw ExitCode.UNAVAILABLE.failure("The scheduler's tracepoints cannot be read: "
                        + NativeSocket.reason((int) opened) + ". Start both sides as root.");
            }
            return new LinuxSchedulerRecord(opened);
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
        return read(address, waits);
    }

    @Override
    public long lost() {
        return closed ? lost : lost(address);
    }

    @Override
    public void close() {
        if (!closed) {
            lost = lost(address);
            closed = true;
            close(address);
        }
    }

    /** Returns an address, or −errno. */
    private static native long open(long thread, long minNs);

    private static native int read(long address, long[] waits);

    private static native long lost(long address);

    private static native void close(long address);
}
