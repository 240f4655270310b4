package org.lagbench.packetio.linux;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.SchedulerRecord;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Reads what the observer in the kernel records (observer.h), or where the kernel refuses it the switches of the thread
 * alone (thread_switches.h).
 */
final class LinuxSchedulerRecord implements SchedulerRecord {
    private static final int NOT_PERMITTED = -1;
    private static final int NO_FILE = -2;

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
            long opened = LinuxSchedulerRecord.open(thread, minNs);
            return opened >= 0
                    ? new LinuxSchedulerRecord(opened, null)
                    : openOfThread(thread, minNs, refusal((int) opened, "5.18"));
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
    }

    /**
     * Returns why the kernel refuses its observer, and what to do.
     *
     * @param since the first version of Linux with what the observer uses
     */
    static String refusal(int error, String since) {
        return switch (error) {
            case NOT_PERMITTED ->
                "The kernel permits its observer only to root, or with CAP_BPF and CAP_PERFMON. Start both sides as"
                        + " root, outside of containers.";
            case NO_FILE ->
                "The kernel has no BTF (/sys/kernel/btf/vmlinux), which its observer needs. Use one with"
                        + " CONFIG_DEBUG_INFO_BTF.";
            default ->
                "The kernel refuses its observer: " + NativeSocket.reason(error) + ". Use Linux " + since
                        + " or later.";
        };
    }

    @Override
    public int read(ByteBuffer waits) {
        return read(address, isOfThread, waits);
    }

    @Override
    public long lost() {
        return closed ? lost : lost(address, isOfThread);
    }

    @Override
    public long lostAtUnknownTimes() {
        return lostAtUnknownTimes(address, isOfThread);
    }

    @Override
    public @Nullable String withoutPrograms() {
        return withoutPrograms;
    }

    @Override
    public void disarm() {
        requireObserver();
        disarm(address);
    }

    @Override
    public void arm() throws LagbenchException {
        requireObserver();
        int error = arm(address);
        if (error < 0) {
            throw ExitCode.UNAVAILABLE.failure(refusal(error, "5.18"));
        }
    }

    private void requireObserver() {
        if (isOfThread || closed) {
            throw new IllegalStateException("there is no open observer in the kernel");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            lost = lost(address, isOfThread);
            closed = true;
            close(address, isOfThread);
        }
    }

    /** Returns the address of the native record, or −errno. */
    private static native long open(long thread, long minNs);

    private static native long openOfThread(long thread, long minNs);

    private static native int read(long address, boolean isOfThread, ByteBuffer waits);

    private static native long lost(long address, boolean isOfThread);

    private static native long lostAtUnknownTimes(long address, boolean isOfThread);

    private static native int arm(long address);

    private static native void disarm(long address);

    private static native void close(long address, boolean isOfThread);
}
