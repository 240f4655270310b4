package org.lagbench.core.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Registry;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;

/** The registry of engines, in the order of the tables' rows. Immutable. */
public final class Engines extends Registry<Engine> {
    /** Found once, because each search looks into all jars. */
    private static final Engines FOUND = new Engines(ServiceLoader.load(Engine.class));

    public Engines(Iterable<Engine> engines) {
        super("engine", engines);
    }

    /** Returns all engines on the class path. */
    public static Engines load() {
        return FOUND;
    }

    /** Returns the engine of an experiment or program that names none: the first that serves all its transports. */
    public Engine defaultEngine(Collection<? extends Transport> transports) {
        return all().stream()
                .filter(engine -> transports.stream().allMatch(transport -> engine.serves(transport, Traffic.ONE_WAY)))
                .findFirst()
                .orElse(all().get(0));
    }

    /**
     * Returns the named engines, and the engines that the libraries of these transports need.
     *
     * @param named empty for the default engine of the other transports
     */
    public List<Engine> withLibraries(List<Engine> named, Collection<? extends Transport> transports) {
        List<Transport> others = new ArrayList<>();
        Set<Engine> engines = new LinkedHashSet<>(named);
        for (Transport transport : transports) {
            if (transport.wire() != Wire.LIBRARY) {
                others.add(transport);
            } else if (engines.stream().noneMatch(engine -> engine.pairsWith(transport))) {
                engines.add(defaultEngine(List.of(transport)));
            }
        }
        if (named.isEmpty() && (!others.isEmpty() || engines.isEmpty())) {
            engines.add(defaultEngine(others));
        }
        return List.copyOf(engines);
    }

    /** Returns the first engine without a JVM, whose pauses would affect the packets. */
    public Engine withoutJvm() {
        return all().stream().filter(engine -> !engine.runsOnJvm()).findFirst().orElseThrow();
    }

    /**
     * Checks that an engine supports such runs on any machine, and that what they observe is no contradiction.
     *
     * @throws LagbenchException if not; the message names the engines that do
     */
    public void check(Engine engine, Transport transport, Traffic traffic, Set<ObservedSource> observe)
            throws LagbenchException {
        if (!engine.serves(transport, traffic)) {
            throw refusal(
                    engine,
                    traffic == Traffic.ONE_WAY
                            ? "does not send and receive over " + transport.name() + "; take " + transport.name()
                                    + " out of the experiment"
                            : "has no " + traffic.text() + " traffic over " + transport.name() + "; take one of the two"
                                    + " out of the experiment",
                    other -> other.serves(transport, traffic));
        }
        for (ObservedSource source : observe) {
            if (source.isEvent() && observe.contains(ObservedSource.AUTO)) {
                throw ExitCode.USAGE.failure("observe: auto decides whether to record " + source.text()
                        + "; leave auto or " + source.text() + " out of observe.");
            } else if (!source.isOf(traffic)) {
                throw ExitCode.USAGE.failure("observe: " + source.text() + " records one-way traffic only; leave "
                        + source.text() + " out of observe, or " + traffic.text() + " out of traffic.");
            } else if (!source.isOf(engine)) {
                throw refusal(
                        engine,
                        "does not record " + source.text() + "; leave " + source.text() + " out of observe",
                        other -> other.serves(transport, traffic) && source.isOf(other));
            }
        }
    }

    /**
     * Checks that an engine supports this host's end of the packets.
     *
     * @param connects whether this side connects to the other one
     * @throws LagbenchException if not; the message names the engines that do
     */
    public void checkLocalEnd(Engine engine, Transport transport, LocalEnd local, boolean connects)
            throws LagbenchException {
        if (local.equals(LocalEnd.ANY)) {
            return;
        }
        if (!transport.wire().isOverIp()) {
            throw ExitCode.USAGE.failure("--bind, --data-port and --device: " + transport.name()
                    + " does not use the ports of IP; leave them out.");
        }
        if (connects && !local.isUnbound() && !engine.bindsSenders()) {
            throw refusal(
                    engine,
                    "cannot send from a named address or port; leave out --bind and --data-port",
                    other -> other.bindsSenders() && other.serves(transport, Traffic.ONE_WAY));
        }
        if (local.device() != null && !engine.bindsDevices()) {
            throw refusal(
                    engine,
                    "cannot bind its sockets to a network interface; leave out --device",
                    other -> other.bindsDevices() && other.serves(transport, Traffic.ONE_WAY));
        }
    }

    private LagbenchException refusal(Engine engine, String what, Predicate<Engine> can) {
        String others = all().stream().filter(can).map(Engine::name).collect(Collectors.joining(" or "));
        return ExitCode.UNAVAILABLE.failure("engine: " + engine.name() + " " + what
                + (others.isEmpty() ? "." : ", or use engine: " + others + "."));
    }
}
