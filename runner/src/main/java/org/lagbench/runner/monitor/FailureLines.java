package org.lagbench.runner.monitor;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.lagbench.core.failure.LagbenchException;

/**
 * Prints when a probe starts failing, when its exit code changes, and when it works again. Also prints when the clock
 * was set back.
 */
public final class FailureLines implements Monitor.Events {
    private final PrintWriter out;

    /** The failing probes with the exit code of the last failure. */
    private final Map<Probe, Integer> failing = new HashMap<>();

    private boolean hasFailed;

    public FailureLines(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void begin(Probe probe) {
        hasFailed = false;
    }

    @Override
    public void end(Probe probe) {
        if (!hasFailed && failing.remove(probe) != null) {
            print(probe, "works again.");
        }
    }

    @Override
    public void failed(Probe probe, LagbenchException failure) {
        hasFailed = true;
        int code = failure.exitCode().code();
        Integer before = failing.put(probe, code);
        if (before == null || before != code) {
            print(probe, failure.sentence());
        }
    }

    @Override
    public void clockSetBack(long dueNs) {
        print("clock", "it was set back; the series continue at " + Instant.ofEpochSecond(0, dueNs) + ".");
    }

    private void print(Probe probe, String sentence) {
        print(probe.series().get(0).name(), sentence);
    }

    private void print(String subject, String sentence) {
        out.println("lagbench: " + Instant.now() + " " + subject + ": " + sentence);
        out.flush();
    }
}
