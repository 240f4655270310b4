package org.lagbench.analysis.tune;

import java.util.Optional;

/**
 * Decides which candidate to run next, and computes the result. Its decisions depend on the seed and the trials alone,
 * so that an interrupted tune resumes if its trials are replayed. It runs nothing itself. Not thread-safe.
 */
public sealed interface TuneSearch permits Tuner, SmallestSetting {
    /** The probability that a decided result is wrong. */
    double LEVEL = 0.05;

    /** Returns the candidate to run next; empty at the end. */
    Optional<TuneCandidate> next();

    /** Accepts the result of the run that {@link #next} requested. One that the machine spoiled is requested again. */
    void accept(Trial trial);

    /**
     * Receives the budget before each run; without a run left, ends the tune.
     *
     * @param runs how many runs the budget allows in total
     * @param runsLeft how many of them are left
     */
    void budget(long runs, long runsLeft);

    /** Returns the current phase, for a progress line. */
    String phaseText();

    /** Returns the number of remaining candidates. */
    int contenders();

    /** Returns the result so far. */
    TuneResult result();
}
