package org.lagbench.runner.sweep;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.Experiment;

/**
 * The context of one command that executes runs. Closing it unlocks the session.
 *
 * @param experiment the experiment, with a seed
 * @param session the new or resumed session
 * @param waitForClock how long each run waits for the required clock bound
 * @param acceptUnsynchronized whether runs are executed, and marked, if the bound is still too large then
 * @param skipUnavailable whether runs that this machine, or the receiver's, cannot make are left out without a failure
 * @param agent the agent on another host that sends; null if this host sends, or receives
 * @param key shared with the receiver on another host, and with the agent; null for none
 * @param shutdown notifies of interruptions
 */
public record Execution(
        Experiment experiment,
        SessionDirectory session,
        Duration waitForClock,
        boolean acceptUnsynchronized,
        boolean skipUnavailable,
        @Nullable Endpoint agent,
        @Nullable SharedKey key,
        ShutdownCoordinator shutdown)
        implements AutoCloseable {
    public long seed() {
        return Objects.requireNonNull(experiment.grid().seed(), "the experiment's seed");
    }

    @Override
    public void close() throws LagbenchException {
        session.close();
    }
}
