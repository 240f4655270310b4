package org.lagbench.analysis.summary;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.stage.StagedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.Traffic;

/**
 * A run with open captures.
 *
 * @param directory its directory
 * @param record its record
 * @param run its captures
 * @param answers its packets with their answers; null if packets are not answered
 * @param clock its clocks
 * @param stages the stages of its packets; null if they were not recorded
 */
record OpenRun(
        RunDirectory directory,
        RunRecord record,
        JoinedRun run,
        @Nullable JoinedRun answers,
        RunClock clock,
        @Nullable StagedRun stages)
        implements AutoCloseable {
    /**
     * Opens the captures in a run's directory.
     *
     * @throws LagbenchException with the path, if one is missing, unreadable or corrupt
     */
    static OpenRun open(RunDirectory directory, RunRecord record, boolean corrected) throws LagbenchException {
        Path path = directory.path();
        List<JoinedRun> opened = new ArrayList<>();
        try {
            JoinedRun run = JoinedRun.open(path);
            opened.add(run);
            JoinedRun answers = null;
            if (record.point().traffic().kind().text().equals(Traffic.ROUND_TRIP.text())) {
                answers = JoinedRun.openAnswers(path);
                opened.add(answers);
            }
            RunClock clock = RunClock.of(directory, record, run, corrected);
            StagedRun stages = directory.isIntact(StagedRun.FILES) ? StagedRun.of(path, record, run) : null;
            return new OpenRun(directory, record, run, answers, clock, stages);
        } catch (LagbenchException | RuntimeException e) {
            try {
                JoinedRun.closeAll(opened);
            } catch (LagbenchException ofClosing) {
                e.addSuppressed(ofClosing);
            }
            throw e;
        }
    }

    Stream<JoinedRun> captures() {
        return answers == null ? Stream.of(run) : Stream.of(run, answers);
    }

    @Override
    public void close() throws LagbenchException {
        JoinedRun.closeAll(captures().toList());
    }
}
