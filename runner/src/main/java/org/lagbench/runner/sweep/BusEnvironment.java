package org.lagbench.runner.sweep;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.RunSpec;
import org.lagbench.native1394.VirtualBus;

/**
 * The environment variables with which processes reach the bus. They are empty with a real bus and with an inherited
 * virtual one. Otherwise the first run that needs a bus creates one virtual bus for all runs. Used by one thread.
 */
final class BusEnvironment implements AutoCloseable {
    private @Nullable VirtualBus virtualBus;

    /** Returns which bus the processes use: "virtual" or "/dev/fw*". */
    static String kind() {
        return VirtualBus.isNeeded() || VirtualBus.isInherited() ? "virtual" : "/dev/fw*";
    }

    /** Returns the variables for the processes of a run. Runs over other transports preload no bus library. */
    Map<String, String> variables(RunSpec run) throws LagbenchException {
        boolean usesBus = Transports.load()
                .find(run.point().transport())
                .map(Transport::recordsBusCycle)
                .orElse(false);
        if (!usesBus || !VirtualBus.isNeeded()) {
            return Map.of();
        }
        if (virtualBus == null) {
            virtualBus = VirtualBus.create();
        }
        return virtualBus.environment();
    }

    /** Ends the virtual bus. Its processes must have ended. */
    @Override
    public void close() {
        if (virtualBus != null) {
            virtualBus.close();
        }
    }
}
