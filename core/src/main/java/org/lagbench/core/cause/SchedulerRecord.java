package org.lagbench.core.cause;

import java.nio.ByteBuffer;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.recorder.PacketThread;

/**
 * The scheduler's record of one thread: when it waited for a CPU or was stopped, and which program ran instead. For one
 * thread at a time.
 */
public interface SchedulerRecord extends AutoCloseable {

    /**
     * Reads the waits that ended since the last call. A wait in which several programs ran is divided among them. Where
     * the kernel omitted a switch or wake-up, so that it is unknown whether the thread waited, that time is there as
     * {@link Cause#WAITS_LOST}. Allocates nothing.
     *
     * @param waits a direct buffer, which receives a record of an {@link org.lagbench.core.capture.EventsCapture} for
     *     each wait from its beginning on, in order of their ends; has space for 96 or more
     * @return the number of waits; if more than half of the space is used, the next call reads those that do not fit
     */
    int read(ByteBuffer waits);

    /**
     * Returns the number of switches and wake-ups that are not in the record, because it was read too late or the
     * kernel omitted them. The waits that they began or ended are unknown. Those that were read as
     * {@link Cause#WAITS_LOST} count too.
     */
    long lost();

    /** Returns the number of those that {@link #lost} counts and that are not read as {@link Cause#WAITS_LOST}. */
    long lostAtUnknownTimes();

    /**
     * Returns why the record does not have the programs that ran instead; null if it has them. Without them it must be
     * read every millisecond: where it knows only the sum of several waits, it assigns what exceeds usual ones to the
     * longest sleeps. It also has the sleeps, each until the wait after it, or until its end if that wait is short.
     */
    @Nullable
    String withoutPrograms();

    /**
     * Ends the recording until {@link #arm}, so that it costs nothing. Waits that ended can still be read; a wait that
     * has not ended is omitted. Only of a record with the programs that ran instead.
     */
    void disarm();

    /**
     * Starts to record again. Only of a record with the programs that ran instead.
     *
     * @throws LagbenchException if the kernel refuses it
     */
    void arm() throws LagbenchException;

    /** Releases all resources. Closing again does nothing. */
    @Override
    void close();

    /** A source of records. */
    interface Provider {
        /**
         * Starts to record a thread.
         *
         * @param thread its number in {@code /proc}
         * @param minNs shorter waits are omitted
         * @throws LagbenchException if that is impossible here; the message says why, and what to do
         */
        SchedulerRecord open(long thread, long minNs) throws LagbenchException;
    }

    /**
     * Starts to record a thread.
     *
     * @param minNs shorter waits are omitted
     * @throws LagbenchException if that is impossible here; the message says why, and what to do
     */
    static SchedulerRecord open(PacketThread thread, long minNs) throws LagbenchException {
        Provider provider = ServiceLoader.load(Provider.class)
                .findFirst()
                .orElseThrow(() -> new LagbenchException(
                        ExitCode.UNAVAILABLE, "No module on the class path reads the scheduler's record."));
        return provider.open(thread.number(), minNs);
    }
}
