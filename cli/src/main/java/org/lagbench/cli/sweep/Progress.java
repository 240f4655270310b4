package org.lagbench.cli.sweep;

import java.io.PrintWriter;
import java.time.Duration;
import org.lagbench.core.run.RunGroup;

/**
 * Shows the progress of a sweep on standard error. One thread calls it, but any thread may call {@link #note} and
 * {@link #sent}. By default it shows only errors.
 */
public interface Progress extends AutoCloseable {
    /** Creates a progress bar on a terminal, one line per run in a pipe, or only error messages. */
    static Progress of(boolean quiet, PrintWriter err, int runs, RemainingTime remainingTime) {
        if (quiet) {
            return err::println;
        }
        return Terminal.isStandardErrorCapable()
                ? new BarProgress(System.err, Terminal.columns(), runs, remainingTime::remaining)
                : new LineProgress(err, runs, System::nanoTime);
    }

    /** A run has started, or several at the same time. */
    default void started(RunGroup run) {}

    /** The started run has ended; {@code result} is one or two words. */
    default void ended(RunGroup run, String result, Duration taken, Duration remaining) {}

    /** The run waits for something. */
    default void note(String sentence) {}

    /** The sender has sent so many packets; called once a second. */
    default void sent(SentPackets packets) {}

    /** Something failed. Shown even if the progress is quiet. */
    void error(String sentence);

    @Override
    default void close() {}
}
