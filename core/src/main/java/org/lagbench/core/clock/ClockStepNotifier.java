package org.lagbench.core.clock;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;

/** The operating system's word that somebody set CLOCK_REALTIME, for which nobody needs to look again and again. */
public interface ClockStepNotifier extends AutoCloseable {
    /**
     * Waits until the clock is set, if it was not since this was last told of. One thread at a time.
     *
     * @return whether it was set; if not, {@link #end} was called, which being set at the same time may hide
     */
    boolean await();

    /** Ends the waiting, that which goes on or the next. Any thread, before {@link #close}. */
    void end();

    /** Gives the operating system back what it needs; nobody waits any more. Closing again does nothing. */
    @Override
    void close();

    /** Where notices come from. */
    interface Provider {
        /**
         * Is told of every time the clock is set from now on.
         *
         * @throws LagbenchException if this machine lacks what is needed: what, and what to do about it
         */
        ClockStepNotifier open() throws LagbenchException;
    }

    /** The one on the class path, if there is one that works here. */
    static @Nullable ClockStepNotifier find() {
        Provider provider = ServiceLoader.load(Provider.class).findFirst().orElse(null);
        try {
            return provider == null ? null : provider.open();
        } catch (LagbenchException e) {
            return null; // whoever wants to know looks at the clock instead
        }
    }
}
