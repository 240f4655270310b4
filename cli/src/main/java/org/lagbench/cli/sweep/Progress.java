package org.lagbench.cli.sweep;

import java.time.Duration;
import org.lagbench.core.run.RunGroup;

/**
 * Tells the user how far a sweep is. Called by one thread, but for {@link #note} and {@link #sent}, which any may call.
 */
public interface Progress extends AutoCloseable {
    /** A run begins, or several at the same time. */
    void begins(RunGroup run);

    /** The run that began has ended; {@code result} is a word or two. */
    void ended(RunGroup run, String result, Duration taken, Duration remaining);

    /** What the run is waiting for. */
    void note(String sentence);

    /** How far the run that began is; told each second. */
    void sent(SentPackets packets);

    /** Something went wrong. Shown however quiet the progress is. */
    void trouble(String sentence);

    /** Nothing more will come. */
    @Override
    void close();
}
