package org.lagbench.cli.sweep;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.lagbench.core.run.RunGroup;

/** A line a run, for a log or a pipe. */
final class LineProgress implements Progress {
    private final PrintWriter out;
    private final int total;
    private int ended;

    LineProgress(PrintWriter out, int total) {
        this.out = out;
        this.total = total;
    }

    @Override
    public void begins(RunGroup run) {
        // its line comes at its end
    }

    @Override
    public void ended(RunGroup run, String result, Duration taken, Duration remaining) {
        ended++;
        out.println(String.format(
                Locale.ROOT,
                "run %d of %d  %s  %s, %.1f s%s",
                ended,
                total,
                run.name(),
                result,
                taken.toMillis() / 1e3,
                ended == total ? "" : "; " + Durations.text(remaining) + " left"));
        out.flush();
    }

    @Override
    public void note(String sentence) {
        out.println(sentence);
        out.flush();
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
