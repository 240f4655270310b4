package org.lagbench.cli.sweep;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;
import org.lagbench.native1394.VirtualBus;

/**
 * What a process needs in its environment to reach the bus: nothing on a real one, or on one that somebody else keeps;
 * on a machine without, one virtual bus for all runs of a sweep. It is made when the first run asks for it. Used by one
 * thread.
 */
final class BusEnvironment implements AutoCloseable {
    private @Nullable VirtualBus virtualBus;

    /** Which bus processes find here. */
    static String kind() {
        return VirtualBus.isNeeded() || VirtualBus.isInherited() ? "virtual" : "/dev/fw*";
    }

    /**
     * The variables for the processes of a run. Runs over other transports get none: they shall not carry the load of a
     * library that they do not use.
     */
    Map<String, String> of(RunSpec run) throws LagbenchException {
        if (!isOnBus(run) || !VirtualBus.isNeeded()) {
            return Map.of();
        }
        if (virtualBus == null) {
            virtualBus = VirtualBus.create();
        }
        return virtualBus.environment();
    }

    private static boolean isOnBus(RunSpec run) {
        return Transports.load()
                .find(run.transport())
                .map(Transport::recordsBusCycle)
                .orElse(false);
    }

    /** Ends the virtual bus. The processes on it must have ended. */
    @Override
    public void close() {
        if (virtualBus != null) {
            virtualBus.close();
        }
    }
}
