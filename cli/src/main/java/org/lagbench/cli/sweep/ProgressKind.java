package org.lagbench.cli.sweep;

import java.io.PrintWriter;

/** How a sweep tells how far it is. Progress goes to standard error: standard output is for results. */
public enum ProgressKind {
    /** Errors only. */
    QUIET,
    /** A line a run, and more of a long one. */
    LINES,
    /** A bar with the time left. */
    BAR;

    /** A bar on a terminal, lines in a pipe. */
    public static ProgressKind suitable(boolean quiet) {
        if (quiet) {
            return QUIET;
        }
        return Terminal.isStandardErrorCapable() ? BAR : LINES;
    }

    Progress begin(PrintWriter err, int runs, RemainingTime timeLeft) {
        return switch (this) {
            case QUIET -> new QuietProgress(err);
            case LINES -> new LineProgress(err, runs, System::nanoTime);
            case BAR -> new BarProgress(System.err, Terminal.columns(), runs, timeLeft::remaining);
        };
    }
}
