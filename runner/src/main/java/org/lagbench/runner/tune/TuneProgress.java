package org.lagbench.runner.tune;

import java.io.PrintWriter;
import org.lagbench.runner.sweep.Progress;

/** Shows the failures of a tune's runs, and its notes unless it is quiet. Thread-safe. */
record TuneProgress(PrintWriter err, boolean quiet) implements Progress {
    @Override
    public void note(String sentence) {
        if (!quiet) {
            error(sentence);
        }
    }

    @Override
    public void error(String sentence) {
        err.println(sentence);
    }
}
