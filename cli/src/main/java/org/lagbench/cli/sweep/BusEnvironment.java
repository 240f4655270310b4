package org.lagbench.cli.sweep;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.native1394.Ieee1394Transport;
import org.lagbench.native1394.VirtualBus;

/**
 * What a process needs in its environment to reach the bus: nothing on a real one; on a machine without, the virtual
 * bus, one for all runs of a sweep. It is made when the first run asks for it. Used by one thread.
 */
final class BusEnvironment implements AutoCloseable {
    private @Nullable VirtualBus virtualBus;

    /** Which bus processes find here. */
    static String kind() {
        return VirtualBus.isNeeded() ? "virtual" : "/dev/fw*";
    }

    /**
     * The variables for the processes of a run over this transport. Runs over other transports get none: they shall not
     * carry the load of a library that they do not use.
     */
    Map<String, String> forTransport(String transport) throws LagbenchException {
        if (!transport.equals(Ieee1394Transport.NAME) || !VirtualBus.isNeeded()) {
            return Map.of();
        }
        if (virtualBus == null) {
            virtualBus = VirtualBus.create();
        }
        return virtualBus.environment();
    }

    /** Takes the virtual bus away. The processes on it must have ended. */
    @Override
    public void close() {
        if (virtualBus != null) {
            virtualBus.close();
        }
    }
}
