package org.lagbench.core.engine;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.registry.Named;
import org.lagbench.core.run.Observation;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.Transport;

/**
 * Describes an engine, which sends and receives the packets of a run. Registered by a line in
 * {@code META-INF/services/org.lagbench.core.engine.Engine} and found by {@link Engines}. Implementations have a cheap
 * public constructor without arguments and are thread-safe.
 */
public interface Engine extends Named {
    /** Returns the name: lower case letters, digits and hyphens. */
    @Override
    String name();

    /** Returns the position in tables and lists, from 0; the engine at 0 is the default. */
    int tableOrder();

    /** Returns whether a JVM sends and receives the packets, so that its options and pauses affect them. */
    boolean runsOnJvm();

    /** Returns whether the engine supports a kind of traffic over a transport. */
    boolean serves(Transport transport, Traffic traffic);

    /** Returns whether the engine supports an observation. */
    boolean records(Observation observation);

    /**
     * Checks that the engine supports a transport's settings.
     *
     * @param transport one that it serves
     * @throws LagbenchException if not: which setting, and what to do about it
     */
    default void check(Transport transport, Settings settings) throws LagbenchException {}

    /** Returns why the engine cannot use a transport on this machine, and what to do about it; null if it can. */
    @Nullable
    LagbenchException unavailableReason(Transport transport);
}
