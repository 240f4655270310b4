package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;

/** Runs that are open together, and closed together. */
final class OpenRuns implements AutoCloseable {
    private final List<OpenRun> runs = new ArrayList<>();

    void add(OpenRun run) {
        runs.add(run);
    }

    List<OpenRun> all() {
        return runs;
    }

    @Override
    public void close() throws LagbenchException {
        @Nullable LagbenchException failure = null;
        for (OpenRun run : runs) {
            try {
                run.close();
            } catch (LagbenchException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
