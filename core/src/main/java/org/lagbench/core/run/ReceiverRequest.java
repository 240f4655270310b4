package org.lagbench.core.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request of a parent process to a receiver that it started with {@value #OPTION}: one line of JSON on its standard
 * input. The receiver requests a sender from another host and receives its run.
 *
 * @param request the run
 * @param server where {@code lagbench serve} listens on the sender's host
 * @param directory parent of the run's directory
 * @param chrony the address of this host's chronyd
 * @param keyFile the file with the shared key; null for the environment's, or none
 * @param waitsForStart whether the warm run waits for {@link ProgramEvent.Kind#START}
 */
public record ReceiverRequest(
        RunRequest request,
        String server,
        String directory,
        String chrony,
        @Nullable String keyFile,
        boolean waitsForStart) {
    /** The first argument of a receiver whose parent process requests its run. */
    public static final String OPTION = "--request";

    /** Returns the program's arguments. */
    public List<String> arguments() {
        return request.arguments(OPTION, directory);
    }

    /** Returns whether a program's arguments say that its parent process requests its run. */
    public static boolean isRequested(String... arguments) {
        return arguments.length > 0 && arguments[0].equals(OPTION);
    }
}
