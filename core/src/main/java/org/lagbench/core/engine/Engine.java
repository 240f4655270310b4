package org.lagbench.core.engine;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.registry.Named;
import org.lagbench.core.run.Observation;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.Transport;

/**
 * Describes what sends and receives the packets of a run. Registered by a line in
 * {@code META-INF/services/org.lagbench.core.engine.Engine} and found by {@link Engines}. Implementations have a public
 * constructor without arguments that does nothing costly, and are thread-safe.
 */
public interface Engine extends Named {
    /** The name in experiments, files and on the control connection: lower case letters, digits and hyphens. */
    @Override
    String name();

    /** Its place among engines in tables and lists, from 0; the engine at 0 is the one of an experiment without one. */
    int tableOrder();

    /** Whether packets are sent and received within a JVM, so that its options and its pauses concern them. */
    boolean runsOnJvm();

    /** Whether it sends and receives such traffic over the transport. */
    boolean serves(Transport transport, Traffic traffic);

    /** Whether it can record that beside the packets' stamps. */
    boolean records(Observation observation);

    /**
     * Checks that it can do what a transport's settings ask for.
     *
     * @param transport one that it serves
     * @throws LagbenchException if not: which setting, and what to do about it
     */
    default void check(Transport transport, Settings settings) throws LagbenchException {}

    /** Returns what this machine lacks to send and receive over a transport, and what to do about it; or null. */
    @Nullable
    LagbenchException unavailableReason(Transport transport);
}
