package org.lagbench.cli.tune;

import java.io.PrintWriter;
import java.time.Duration;
import org.lagbench.cli.sweep.Progress;
import org.lagbench.cli.sweep.SentPackets;
import org.lagbench.core.run.RunGroup;

/** Passes on what goes wrong and what a run waits for; what the runs show is told by the tune itself. Thread-safe. */
final class TuneProgress implements Progress {
    private final PrintWriter err;
    private final boolean quiet;

    TuneProgress(PrintWriter err, boolean quiet) {
        this.err = err;
        this.quiet = quiet;
    }

    /** A line, unless it is to be quiet. */
    void line(String text) {
        if (!quiet) {
            trouble(text);
        }
    }

    @Override
    public void begins(RunGroup run) {
        // told at its end
    }

    @Override
    public void ended(RunGroup run, String result, Duration taken, Duration remaining) {
        // told with what it showed
    }

    @Override
    public void note(String sentence) {
        line(sentence);
    }

    @Override
    public void sent(SentPackets packets) {
        // runs of a tune are short
    }

    @Override
    public synchronized void trouble(String sentence) {
        err.println(sentence);
        err.flush();
    }

    @Override
    public void close() {
        err.flush();
    }
}
