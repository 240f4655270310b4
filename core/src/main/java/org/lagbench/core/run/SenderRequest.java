package org.lagbench.core.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request of a parent process to a sender that it started with {@value #OPTION}: one line of JSON on its standard
 * input for each run. The sender prints {@link ProgramEvent}s, ends after a failed run, and with its standard input.
 *
 * @param request the run
 * @param directory parent of the run's directory
 * @param chrony the address of this host's chronyd
 * @param keyFile the file with the shared key; null for the environment's, or none
 * @param receiver where the receiver listens; null if it connects to {@code listen}
 * @param listen where the sender waits for its receiver, which has requested it; null if it connects to one
 * @param receiverHost the only host whose connection is accepted at {@code listen}
 * @param dataHost the receiver's address for packets; null if it is that of the control connection
 * @param probes whether the receiver executes the run wait for others, and deletes its files
 * @param waitsForStart whether the sender waits for {@link ProgramEvent.Kind#START} after the warm-up
 * @param reportsIntervals whether the sender reports what the receiver recorded in each second
 * @param endsAfterwards whether the sender ends after the run; else it waits for another request
 */
public record SenderRequest(
        RunRequest request,
        String directory,
        String chrony,
        @Nullable String keyFile,
        @Nullable String receiver,
        @Nullable String listen,
        @Nullable String receiverHost,
        @Nullable String dataHost,
        boolean probes,
        boolean waitsForStart,
        boolean reportsIntervals,
        boolean endsAfterwards) {
    /** The first argument of a sender whose parent process requests its runs. */
    public static final String OPTION = "--requests";

    /** Returns the program's arguments. */
    public List<String> arguments() {
        return request.arguments(OPTION, directory);
    }

    /** Returns whether a program's arguments say that its parent process requests its run. */
    public static boolean isRequested(String... arguments) {
        return arguments.length > 0 && arguments[0].equals(OPTION);
    }
}
