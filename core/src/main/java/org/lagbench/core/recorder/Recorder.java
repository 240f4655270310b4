package org.lagbench.core.recorder;

import java.io.IOException;
import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.SideFacts;

/**
 * Records something about one side of a run. {@link Recorders} calls the methods once each, in the order in which they
 * are declared here, {@link #warmUp} more than once, all in the thread of the run. Each does nothing by default.
 *
 * <p>A recorder must not keep packets waiting: it may allocate and take time until {@link #warmedUp} returns, and from
 * {@link #end} on; what it does in between, it does in a separate thread.
 */
public interface Recorder extends AutoCloseable {
    /** Returns what is missing if the recorder fails: the name of its file, or of its entries in {@code run.json}. */
    String name();

    /** Prepares the recording. This side's engine is open and the port of packets is known; nothing is connected. */
    default void prepare() throws IOException, LagbenchException {}

    /** The engines of both sides are connected. */
    default void connected() throws IOException, LagbenchException {}

    /** Runs the code of the recording so that it is compiled: on the receiver first before it is connected. */
    default void warmUp() throws IOException, LagbenchException {}

    /** Starts what takes time. The warm-up is over; packets follow when both sides are ready. */
    default void warmedUp() throws IOException, LagbenchException {}

    /** Begins to record, without delay: the lead-in and then the recorded packets follow. */
    default void begin() throws IOException, LagbenchException {}

    /**
     * Ends the recording. The sender has sent its last packet: what follows packets to the receiver ends in
     * {@link #write}. The receiver has received its last one, and its engine is still open.
     */
    default void end() throws IOException, LagbenchException {}

    /**
     * Writes the files of what was recorded, also in a run that broke. On the receiver the stamps are closed; on the
     * sender the receiver has counted its packets, or the run broke.
     */
    default void write() throws IOException, LagbenchException {}

    /** Returns records for {@code run.json}, also if a file could not be written. */
    default List<? extends SideFacts> metadata() {
        return List.of();
    }

    /** Releases all resources, whatever was called before. May be called more than once. */
    @Override
    default void close() throws IOException {}
}
