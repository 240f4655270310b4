package org.lagbench.core.cause;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Pace;

/**
 * A thread that arms and reads the sources of one side in the observed windows of a run, and logs these windows and the
 * others as {@link Cause#OBSERVED} and {@link Cause#NOT_OBSERVED}, with the CPU time of the packet thread and of the
 * observer in each. It sleeps from the first recorded packet to the first window.
 *
 * <p>Both sides compute the times of the windows from the first packet on. They need not agree exactly: each packet
 * counts by what both sides logged.
 */
final class ObserverSwitch implements AutoCloseable {
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long after a switch caches are cold, or the other side may not have switched yet. */
    private static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(60);

    private final ObservedWindows windows;
    private final boolean[] areObserved;
    private final Pace pace;
    private final PacketThread packets;
    private final LongSupplier sentOrReceived;
    private final Sources sources;
    private final EventLog log;

    /** How long the thread sleeps at most while the sources are armed. */
    private long sleepNs;

    private boolean isArmed;
    private final BackgroundThread thread = new BackgroundThread("observer-switch", this::run);
    private volatile @Nullable String error;
    private volatile boolean hasEnded;

    /** Few enough that the record of their waits does not fill, even if the thread wakes up late. */
    private static final int PACKETS_PER_READ = 1_000;

    /** All sources of one side. */
    interface Sources {
        /**
         * Loads the sources, which record nothing yet.
         *
         * @param recordNs the time in which the record of waits cannot fill
         */
        void load(long recordNs) throws LagbenchException;

        /** Starts to record. */
        void arm() throws LagbenchException;

        /**
         * Adds the events so far to the log, but those of the record of waits only if it could fill.
         *
         * @param sleepNs how long the calling thread wanted to sleep before
         * @param own its waits for a CPU
         */
        void read(long sleepNs, RunQueueDelay own) throws IOException;

        /** Adds all events so far to the log. */
        void readAll();

        /** Returns the longest sleep between two reads with which the sources lose nothing; after {@link #load}. */
        long sleepNs();

        /** Ends the recording, and adds the events to the log. */
        void disarm();
    }

    /**
     * Starts the thread.
     *
     * @param seed of the order of the windows
     * @param sentOrReceived returns the number of recorded packets that this side has sent or received, at most 0
     *     before the first
     * @param log receives the windows while the sources are not armed
     */
    ObserverSwitch(
            ObservedWindows windows,
            long seed,
            Pace pace,
            PacketThread packets,
            LongSupplier sentOrReceived,
            Sources sources,
            EventLog log) {
        this.windows = windows;
        this.areObserved = windows.areObserved(seed);
        this.pace = pace;
        this.packets = packets;
        this.sentOrReceived = sentOrReceived;
        this.sources = sources;
        this.log = log;
        thread.start();
    }

    /** Returns why windows are missing; null if none is. */
    @Nullable
    String error() {
        return error;
    }

    /** Returns whether the thread has switched all windows, or ended early. */
    boolean hasEnded() {
        return hasEnded;
    }

    /** Ends the thread and waits for its end. */
    @Override
    public void close() {
        thread.close();
    }

    private void run() {
        try (RunQueueDelay ofPackets = RunQueueDelay.of(packets);
                RunQueueDelay own = RunQueueDelay.of(Objects.requireNonNull(PacketThread.current()))) {
            toggle(ofPackets, own);
        } catch (IOException e) {
            error = "the CPU time of the packet thread is unknown: " + IoErrors.reason(e);
        } catch (LagbenchException e) {
            error = e.sentence();
        } finally {
            hasEnded = true;
        }
    }

    private void toggle(RunQueueDelay ofPackets, RunQueueDelay own) throws IOException, LagbenchException {
        long passed = sentOrReceived.getAsLong();
        while (passed <= 0) {
            if (thread.isClosedWithin(POLL_NS)) {
                return;
            }
            passed = sentOrReceived.getAsLong();
        }
        long startNs = System.nanoTime() - pace.dueNs(passed);
        if (isClosedAt(startNs + pace.dueNs(windows.first()))) {
            return;
        }
        long recordNs = pace.dueNs(PACKETS_PER_READ);
        sources.load(recordNs);
        sleepNs = Math.min(sources.sleepNs(), recordNs);
        for (int window = 0; window < windows.count(); window++) {
            long endNs = startNs + pace.dueNs(windows.firstPacket(window + 1));
            if (isClosedAt(startNs + pace.dueNs(windows.firstPacket(window)))) {
                return;
            }
            if (areObserved[window]) {
                sources.arm();
            }
            isArmed = areObserved[window];
            passWindow(ofPackets, own, endNs);
        }
    }

    /** Waits for the end of a window, disarms the sources if they are armed, and logs the window. */
    private void passWindow(RunQueueDelay ofPackets, RunQueueDelay own, long endNs) throws IOException {
        boolean isSettled = hasSleptUntil(Math.min(endNs, System.nanoTime() + SETTLE_NS), own);
        long beginNs = RealtimeClock.nowNs();
        long beforeNs = ranNs(ofPackets, own);
        boolean isWhole = isSettled && hasSleptUntil(endNs, own);
        if (isArmed) {
            sources.readAll(); // is a part of the price
        }
        long tookNs = ranNs(ofPackets, own) - beforeNs;
        long nowNs = RealtimeClock.nowNs();
        if (isArmed) {
            sources.disarm();
        }
        if (isWhole) {
            log.add(isArmed ? Cause.OBSERVED : Cause.NOT_OBSERVED, beginNs, nowNs, tookNs);
        }
    }

    /**
     * Sleeps until a time of {@link System#nanoTime}; reads the sources meanwhile if they are armed. Returns false if
     * the thread must end.
     */
    private boolean hasSleptUntil(long timeNs, RunQueueDelay own) throws IOException {
        for (long leftNs = timeNs - System.nanoTime(); leftNs > 0; leftNs = timeNs - System.nanoTime()) {
            long nextNs = isArmed ? Math.min(leftNs, sleepNs) : leftNs;
            if (thread.isClosedWithin(nextNs)) {
                return false;
            }
            if (isArmed) {
                sources.read(nextNs, own);
            }
        }
        return !thread.isClosing();
    }

    /** Returns the CPU time of the packet thread and of this thread. */
    private static long ranNs(RunQueueDelay ofPackets, RunQueueDelay own) throws IOException {
        ofPackets.waitedNs();
        own.waitedNs();
        return ofPackets.ranNs() + own.ranNs();
    }

    /** Waits for a time of {@link System#nanoTime}; returns true at once if the thread must end. */
    private boolean isClosedAt(long timeNs) {
        return thread.isClosedWithin(timeNs - System.nanoTime());
    }
}
