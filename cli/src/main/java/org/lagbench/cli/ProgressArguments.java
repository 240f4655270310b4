package org.lagbench.cli;

import java.io.PrintWriter;
import org.lagbench.cli.sweep.ProgressOutput;
import picocli.CommandLine.Option;

/** The options of the commands that make runs: how they show them. */
final class ProgressArguments {
    @Option(names = "--quiet", description = "Print only errors.")
    private boolean quiet;

    @Option(
            names = "--live",
            description = "Print a line for each second of a run on the standard error. Without it, a terminal shows"
                    + " only the last one, and a file or pipe gets one every ten seconds.")
    private boolean live;

    @Option(
            names = "--json-stream",
            description = "Print an event per line as JSON on the standard output, instead of tables: the seconds and"
                    + " results of runs. See docs/reference/live.md.")
    private boolean jsonStream;

    boolean isQuiet() {
        return quiet;
    }

    /** Returns whether the standard output belongs to events. */
    boolean printsEvents() {
        return jsonStream;
    }

    ProgressOutput output(PrintWriter out, PrintWriter err) {
        return new ProgressOutput(err, quiet, live, jsonStream ? out : null);
    }
}
