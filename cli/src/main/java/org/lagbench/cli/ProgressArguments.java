package org.lagbench.cli;

import java.io.PrintWriter;
import java.util.Map;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.ProgressOutput;
import org.lagbench.runner.sweep.Sweep;
import org.lagbench.web.EventLog;
import org.lagbench.web.LivePage;
import org.lagbench.web.LiveServer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for showing the progress of commands that make runs. */
final class ProgressArguments {
    /** Seconds of runs that the live page shows if it is opened later. */
    private static final int RECENT_SECONDS = 1_000;

    @Option(names = "--quiet", description = "Print only errors.")
    private boolean quiet;

    @Mixin
    private final LiveArguments live = new LiveArguments();

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

    /**
     * Makes the runs of an experiment while it shows them.
     *
     * @throws LagbenchException also if the live page cannot be served
     */
    ExitCode execute(Execution execution, PrintWriter out, PrintWriter err)
            throws LagbenchException, InterruptedException {
        EventLog page = live.isGiven() ? new EventLog(RECENT_SECONDS) : null;
        ProgressOutput output = new ProgressOutput(err, quiet, live.isGiven(), jsonStream ? out : null, page);
        if (page == null) {
            return Sweep.execute(execution, output);
        }
        try (LiveServer server = live.start(LivePage.SWEEP, Map.of(), page)) {
            err.println("Live page: " + server.address());
            return Sweep.execute(execution, output);
        }
    }
}
