package org.lagbench.cli.sweep;

import java.time.Duration;
import java.util.Objects;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;

/**
 * The context of one command that makes runs. Closing it unlocks the session.
 *
 * @param experiment the experiment, with a seed
 * @param session the new or resumed session
 * @param waitForClock how long each run waits for the required clock bound
 * @param acceptUnsynchronized whether runs are made, and marked, if the bound is still too large then
 * @param shutdown notifies of interruptions
 */
public record Execution(
        Experiment experiment,
        SessionDirectory session,
        Duration waitForClock,
        boolean acceptUnsynchronized,
        ShutdownCoordinator shutdown)
        implements AutoCloseable {
    /** Returns the seed of the experiment. */
    public long seed() {
        return Objects.requireNonNull(experiment.seed(), "the experiment's seed");
    }

    @Override
    public void close() throws LagbenchException {
        session.close();
    }
}
