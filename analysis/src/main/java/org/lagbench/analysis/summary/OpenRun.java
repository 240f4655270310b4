package org.lagbench.analysis.summary;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.session.RunDirectory;
import org.lagbench.analysis.stage.StagedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * A run with open captures.
 *
 * @param directory its directory
 * @param record its record
 * @param run its captures
 * @param clock its clocks
 * @param stages the stages of its packets; null if they were not recorded
 */
record OpenRun(RunDirectory directory, RunRecord record, JoinedRun run, RunClock clock, @Nullable StagedRun stages)
        implements AutoCloseable {
    /**
     * Opens the captures in a run's directory.
     *
     * @throws LagbenchException with the path, if one is missing, unreadable or corrupt
     */
    static OpenRun open(RunDirectory directory, RunRecord record, boolean corrected) throws LagbenchException {
        Path path = directory.path();
        JoinedRun run = JoinedRun.open(path);
        try {
            RunClock clock = RunClock.of(directory, record, run, corrected);
            return new OpenRun(directory, record, run, clock, StagedRun.of(path, record, run));
        } catch (LagbenchException | RuntimeException e) {
            try (run) {
                throw e;
            }
        }
    }

    @Override
    public void close() throws LagbenchException {
        run.close();
    }
}
