package org.lagbench.sender;

import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.RunSpec;

/** Thrown when a run was interrupted. */
final class InterruptedRun extends LagbenchException {
    private static final long serialVersionUID = 1L;

    private final String when;

    private InterruptedRun(String when, String kept, LagbenchException cause) {
        super(ExitCode.INTERRUPTED, when + "; " + kept + ".", cause);
        this.when = when;
    }

    /** Returns the failure, or an {@link InterruptedRun} if an interruption, here or at the receiver, caused it. */
    static LagbenchException ifInterrupted(
            LagbenchException failure, ShutdownCoordinator shutdown, RunSpec spec, RunFiles files) {
        if (failure instanceof InterruptedRun) {
            return failure;
        } else if (shutdown.isInterrupted()) {
            return of("Interrupted", spec, files, failure);
        }
        return failure.exitCode() == ExitCode.INTERRUPTED ? of(failure.sentence(), spec, files, failure) : failure;
    }

    /**
     * Returns an exception whose message says how many packets had been recorded.
     *
     * @param who beginning of the message: "Interrupted"
     * @param cause the failure after the interruption
     */
    private static InterruptedRun of(String who, RunSpec spec, RunFiles files, LagbenchException cause) {
        long packets = files.capture().records();
        return packets == 0
                ? new InterruptedRun(who + " before the first recorded packet", "nothing was kept", cause)
                : new InterruptedRun(
                        who + " after " + packets + " of " + spec.point().packets() + " packets",
                        "their stamps are kept in " + files.directory(),
                        cause);
    }

    /** Returns the message without the directory, for the run.json in that directory. */
    String when() {
        return when + ".";
    }
}
