package org.lagbench.core.clock;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;

/** The operating system's notification that CLOCK_REALTIME was set, which saves polling. */
public interface ClockStepNotifier extends AutoCloseable {
    /**
     * Waits until the clock is set, unless it was set since the last call returned. For one thread at a time.
     *
     * @return whether it was set; false after {@link #end}, even if it was set at the same time
     */
    boolean await();

    /** Ends the current or next wait. For any thread, before {@link #close}. */
    void end();

    /** Releases all resources; no thread may wait any more. Closing again does nothing. */
    @Override
    void close();

    /** A source of notifiers. */
    interface Provider {
        /**
         * Returns a notifier of every time that the clock is set from now on.
         *
         * @throws LagbenchException if this machine does not support it; the message says why, and what to do about it
         */
        ClockStepNotifier open() throws LagbenchException;
    }

    /** Returns the notifier on the class path; null if there is none that works here. */
    static @Nullable ClockStepNotifier find() {
        Provider provider = ServiceLoader.load(Provider.class).findFirst().orElse(null);
        try {
            return provider == null ? null : provider.open();
        } catch (LagbenchException e) {
            return null; // the caller polls the clock instead
        }
    }
}
