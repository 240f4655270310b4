package org.lagbench.cli.sweep;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.time.Intervals;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;
import org.lagbench.native1394.Ieee1394Transport;
import org.lagbench.native1394.VirtualBus;

/**
 * What a process needs in its environment to reach the bus: nothing on a real one, or on one that somebody else keeps;
 * on a machine without, the virtual bus, one of each tick for all runs of a sweep. It is made when the first run asks
 * for it. Used by one thread.
 */
final class BusEnvironment implements AutoCloseable {
    private final Map<Long, VirtualBus> virtualBuses = new HashMap<>();

    /** Which bus processes find here. */
    static String kind() {
        return VirtualBus.isNeeded() || VirtualBus.isInherited() ? "virtual" : "/dev/fw*";
    }

    /** The ticks of the virtual buses that runs of the experiment are on, in its order; none on a real bus. */
    static List<String> ticks(Experiment experiment) {
        if (!VirtualBus.isNeeded() && !VirtualBus.isInherited()) {
            return List.of();
        }
        return experiment.runs(0).stream()
                .filter(BusEnvironment::isOnBus)
                .map(run -> Intervals.format(Ieee1394Transport.tickNs(run.settings())))
                .distinct()
                .toList();
    }

    /**
     * The variables for the processes of a run. Runs over other transports get none: they shall not carry the load of a
     * library that they do not use.
     */
    Map<String, String> of(RunSpec run) throws LagbenchException {
        if (!isOnBus(run) || !VirtualBus.isNeeded()) {
            return Map.of();
        }
        long tickNs = Ieee1394Transport.tickNs(run.settings());
        VirtualBus bus = virtualBuses.get(tickNs);
        if (bus == null) {
            bus = VirtualBus.create(tickNs);
            virtualBuses.put(tickNs, bus);
        }
        return bus.environment();
    }

    private static boolean isOnBus(RunSpec run) {
        return Transports.load()
                .find(run.transport())
                .map(Transport::recordsBusCycle)
                .orElse(false);
    }

    /** Takes the virtual buses away. The processes on them must have ended. */
    @Override
    public void close() {
        virtualBuses.values().forEach(VirtualBus::close);
    }
}
