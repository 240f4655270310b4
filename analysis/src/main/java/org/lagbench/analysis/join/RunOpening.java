package org.lagbench.analysis.join;

import java.nio.file.Path;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * How the captures of a run are opened.
 *
 * @param record the record in the run's directory; null if it has none
 * @param arrivals the name of the capture of arrivals
 * @param hasWindows whether packets of observed windows count, which were sent after those that were asked for
 * @param partitions the number of partitions for a number of packets
 */
record RunOpening(
        Path directory, @Nullable RunRecord record, String arrivals, boolean hasWindows, LongToIntFunction partitions) {
    JoinedRun open() throws LagbenchException {
        JoinedRun run = openCaptures();
        try {
            long asked = hasWindows || record == null ? Long.MAX_VALUE : PacketsAskedFor.of(record);
            long known = record == null
                    ? run.sender.records()
                    : Math.min(asked, InFlight.excludedFrom(run.sender, directory, record));
            run.sender.limit(known);
            run.arrivals = PacketsAskedFor.arrivals(run.receiver, asked);
            int count = partitions.applyAsInt(Math.max(run.sender.records(), run.receiver.records()));
            for (int partition = 1; partition < count; partition++) {
                JoinedRun other = openCaptures();
                run.others.add(other);
                other.sender.limit(known);
                other.arrivals = run.arrivals;
            }
            run.join();
            return run;
        } catch (LagbenchException | RuntimeException e) {
            try (run) {
                throw e;
            }
        }
    }

    private JoinedRun openCaptures() throws LagbenchException {
        CaptureReader sender = CaptureReader.open(directory.resolve(SenderCapture.FILE_NAME));
        try {
            CaptureReader receiver = CaptureReader.open(directory.resolve(arrivals));
            try {
                return new JoinedRun(directory, record, sender, receiver);
            } catch (LagbenchException | RuntimeException e) {
                try (receiver) {
                    throw e;
                }
            }
        } catch (LagbenchException | RuntimeException e) {
            try (sender) {
                throw e;
            }
        }
    }
}
