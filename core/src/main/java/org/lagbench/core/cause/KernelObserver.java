package org.lagbench.core.cause;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.recorder.PacketThread;

/** Whether this kernel permits its observer of waits to this process. */
public final class KernelObserver {
    private KernelObserver() {}

    /** Returns why it refuses the observer, as a sentence; null if it does not. Only the first call loads it. */
    public static @Nullable String refusal() {
        return OfThisProcess.REFUSAL;
    }

    private static final class OfThisProcess {
        static final @Nullable String REFUSAL = load();
    }

    private static @Nullable String load() {
        PacketThread self = PacketThread.current();
        if (self == null) {
            return "This system has no /proc.";
        }
        try (SchedulerRecord opened = SchedulerRecord.open(self, CauseRecorder.MIN_WAIT_NS)) {
            return opened.withoutPrograms();
        } catch (LagbenchException e) {
            return e.sentence();
        }
    }
}
