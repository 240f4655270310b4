package org.lagbench.analysis.summary;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.stage.StagedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * A run whose captures are open.
 *
 * @param name its name
 * @param directory where its files are
 * @param record what became of it
 * @param run its captures
 * @param clock its clocks
 * @param stages the stages of its packets; null if they were not observed
 */
record OpenRun(String name, Path directory, RunRecord record, JoinedRun run, RunClock clock, @Nullable StagedRun stages)
        implements AutoCloseable {
    /**
     * Opens the captures in a run's directory.
     *
     * @throws LagbenchException with the path, if one is missing, unreadable or corrupt
     */
    static OpenRun open(String name, Path directory, RunRecord record, boolean corrected) throws LagbenchException {
        JoinedRun run = JoinedRun.open(directory);
        try {
            return new OpenRun(
                    name,
                    directory,
                    record,
                    run,
                    RunClock.of(directory, record, run, corrected),
                    StagedRun.of(directory, record, run));
        } catch (LagbenchException | RuntimeException e) {
            try {
                run.close();
            } catch (LagbenchException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    @Override
    public void close() throws LagbenchException {
        run.close();
    }
}
