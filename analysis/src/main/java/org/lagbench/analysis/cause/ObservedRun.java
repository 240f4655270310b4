package org.lagbench.analysis.cause;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/** The packets of a run while both sides observed it. */
public final class ObservedRun {
    private ObservedRun() {}

    /**
     * Opens the captures in a run's directory for its causes. Of a run that was observed in windows, only the packets
     * in windows of both sides with the observer count; otherwise all.
     *
     * @param record the record in the directory; null if it has no readable one
     * @throws LagbenchException as {@link JoinedRun#open(Path)}
     */
    public static JoinedRun open(Path directory, @Nullable RunRecord record) throws LagbenchException {
        if (record == null || !record.hasWindows()) {
            return JoinedRun.open(directory, record);
        }
        List<Window> sender = observed(directory.resolve(EventsCapture.SENDER_FILE_NAME));
        List<Window> receiver = observed(directory.resolve(EventsCapture.RECEIVER_FILE_NAME));
        JoinedRun run = JoinedRun.openWithWindows(directory, record);
        try {
            BitSet observed = new BitSet();
            run.forEachFirstCopy((arrival, packet) -> observed.set(
                    (int) arrival,
                    indexOf(sender, run.sentNs(packet)) >= 0 && indexOf(receiver, run.receivedNs(arrival)) >= 0));
            run.keep(observed);
            return run;
        } catch (LagbenchException | RuntimeException e) {
            try (run) {
                throw e;
            }
        }
    }

    private static List<Window> observed(Path events) throws LagbenchException {
        return windows(events).stream().filter(Window::isObserved).toList();
    }

    /** Reads the windows of one side, in the order of time; none if it has no file of events. */
    static List<Window> windows(Path capture) throws LagbenchException {
        List<Window> windows = new ArrayList<>();
        if (Files.exists(capture)) {
            try (CaptureReader events = CaptureReader.open(capture)) {
                for (long i = 0; i < events.records(); i++) {
                    Cause cause = Cause.ofCode(events.value(i, events.field("cause")));
                    if (cause != null && cause.isWindow()) {
                        windows.add(new Window(
                                cause == Cause.OBSERVED,
                                events.value(i, events.field("start_ns")),
                                events.value(i, events.field("end_ns")),
                                events.value(i, events.field("took_ns"))));
                    }
                }
            }
        }
        windows.sort(Comparator.comparingLong(Window::startNs));
        return windows;
    }

    /** Returns the index of the window with a time; negative if there is none. */
    static int indexOf(List<Window> windows, long timeNs) {
        int index = (int)
                Bisection.first(0, windows.size(), i -> windows.get((int) i).endNs() > timeNs);
        return index < windows.size() && windows.get(index).startNs() <= timeNs ? index : -1;
    }

    /**
     * A window of one side.
     *
     * @param isObserved whether its sources recorded
     * @param ranNs the CPU time of the packet thread and of the sources, in ns
     */
    record Window(boolean isObserved, long startNs, long endNs, long ranNs) {
        double cpuShare() {
            return (double) ranNs / (double) (endNs - startNs);
        }
    }
}
