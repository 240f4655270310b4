package org.lagbench.sender;

import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunSpec;

/** The end of a run that a user cut short. */
final class InterruptedRun extends LagbenchException {
    private static final long serialVersionUID = 1L;

    private final String when;

    private InterruptedRun(String when, String kept, LagbenchException met) {
        super(ExitCode.INTERRUPTED, when + "; " + kept + ".", met);
        this.when = when;
    }

    /**
     * Tells how far the run came.
     *
     * @param who was interrupted, as the beginning of a sentence
     * @param met what the run met then
     */
    static InterruptedRun of(String who, RunSpec spec, RunFiles files, LagbenchException met) {
        long packets = files.capture().records();
        return packets == 0
                ? new InterruptedRun(who + " before the first recorded packet", "nothing was kept", met)
                : new InterruptedRun(
                        who + " after " + packets + " of " + spec.packets() + " packets",
                        "their stamps are kept in " + files.directory(),
                        met);
    }

    /** After how many packets, without where these are: a sentence for the record that lies beside them. */
    String when() {
        return when + ".";
    }
}
