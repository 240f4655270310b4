package org.lagbench.cli.sweep;

import java.time.Duration;
import org.lagbench.core.run.RunSpec;

/** Tells the user how far a sweep is. Called by one thread, but for {@link #note}, which any may call. */
public interface Progress extends AutoCloseable {
    /** A run begins. */
    void begins(RunSpec run);

    /** The run that began has ended; {@code result} is a word or two. */
    void ended(RunSpec run, String result, Duration taken, Duration remaining);

    /** What the run is waiting for. */
    void note(String sentence);

    /** Something went wrong. Shown however quiet the progress is. */
    void trouble(String sentence);

    /** Nothing more will come. */
    @Override
    void close();
}
