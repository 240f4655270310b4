package org.lagbench.core.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The request of a parent process to a sender or receiver that it started with {@value RequestedRuns#OPTION}: one line
 * of JSON on its standard input for each run. A sender with neither {@code listen} nor {@code peer}, or a receiver
 * without {@code peer}, is invalid.
 *
 * @param request the run
 * @param directory parent of the run's directory
 * @param chrony the address of this host's chronyd
 * @param keyFile the file with the shared key; null for the environment's, or none
 * @param peer where a sender's receiver listens; for a receiver, where {@code lagbench serve} listens on the sender's
 *     host; null if the peer connects to {@code listen}
 * @param listen where a sender waits for its receiver, which has requested it; null if it connects to one
 * @param receiverHost the only host whose connection is accepted at {@code listen}
 * @param dataHost the receiver's address for packets; null if it is that of the control connection
 * @param probes whether the receiver executes the run wait for others, and deletes its files
 * @param waitsForStart whether the program waits for {@link ProgramEvent.Kind#START} after the warm-up
 * @param reportsIntervals whether a sender reports what the receiver recorded in each second
 * @param endsAfterwards whether the program ends after the run; else it waits for another request
 */
public record ProgramRequest(
        RunRequest request,
        String directory,
        String chrony,
        @Nullable String keyFile,
        @Nullable String peer,
        @Nullable String listen,
        @Nullable String receiverHost,
        @Nullable String dataHost,
        boolean probes,
        boolean waitsForStart,
        boolean reportsIntervals,
        boolean endsAfterwards) {
    /** Returns the file with the shared key; null for the environment's, or none. */
    public @Nullable Path keyPath() {
        return keyFile == null ? null : Path.of(keyFile);
    }
}
