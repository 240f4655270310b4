package org.lagbench.cli.sweep;

import java.io.PrintWriter;
import java.time.Duration;
import org.lagbench.core.run.RunGroup;

/** Only what went wrong. */
final class QuietProgress implements Progress {
    private final PrintWriter out;

    QuietProgress(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void begins(RunGroup run) {
        // quiet
    }

    @Override
    public void ended(RunGroup run, String result, Duration taken, Duration remaining) {
        // quiet
    }

    @Override
    public void note(String sentence) {
        // quiet
    }

    @Override
    public void sent(SentPackets packets) {
        // quiet
    }

    @Override
    public void trouble(String sentence) {
        out.println(sentence);
        out.flush();
    }

    @Override
    public void close() {
        out.flush();
    }
}
