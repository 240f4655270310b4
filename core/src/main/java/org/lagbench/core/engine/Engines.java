package org.lagbench.core.engine;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Observation;
import org.lagbench.core.transport.Transport;

/** The engines by name. Immutable. */
public final class Engines {
    private final List<Engine> engines;

    private Engines(Iterable<Engine> engines) {
        this.engines = StreamSupport.stream(engines.spliterator(), false)
                .sorted(Comparator.comparing(Engine::tableOrder).thenComparing(Engine::name))
                .toList();
        if (names(engine -> true).size() != this.engines.size()) {
            throw new IllegalStateException("two engines have one name: " + names(engine -> true));
        }
    }

    /** Finds all engines on the class path. */
    public static Engines load() {
        return new Engines(ServiceLoader.load(Engine.class));
    }

    /** Returns a registry of these engines. */
    public static Engines of(Engine... engines) {
        return new Engines(List.of(engines));
    }

    /** All engines, in the order of tables. */
    public List<Engine> all() {
        return engines;
    }

    /** All names, in the order of tables. */
    public List<String> names() {
        return names(engine -> true);
    }

    /** The engine of an experiment or program that names none. */
    public Engine defaultEngine() {
        return engines.get(0);
    }

    /** The engine of that name, if there is one. */
    public Optional<Engine> find(String name) {
        return engines.stream().filter(engine -> engine.name().equals(name)).findFirst();
    }

    /** The engine of that name. */
    public Engine named(String name) throws LagbenchException {
        return find(name)
                .orElseThrow(() -> new LagbenchException(
                        ExitCode.USAGE,
                        "There is no engine \"" + name + "\"; there are " + String.join(", ", names()) + "."));
    }

    /**
     * Checks that an engine can make such runs, on whatever machine.
     *
     * @throws LagbenchException if not, with the engines that can
     */
    public void check(Engine engine, Transport transport, Traffic traffic, Set<Observation> observe)
            throws LagbenchException {
        if (!engine.serves(transport, traffic)) {
            throw refusal(
                    engine,
                    "does not send and receive over " + transport.name() + "; take " + transport.name()
                            + " out of the experiment",
                    other -> other.serves(transport, traffic));
        }
        for (Observation observation : observe) {
            if (!engine.records(observation)) {
                throw refusal(
                        engine,
                        "does not record " + observation.text() + "; leave " + observation.text() + " out of observe",
                        other -> other.serves(transport, traffic) && other.records(observation));
            }
        }
    }

    private LagbenchException refusal(Engine engine, String what, Predicate<Engine> can) {
        String others = String.join(" or ", names(can));
        return new LagbenchException(
                ExitCode.UNAVAILABLE,
                "engine: " + engine.name() + " " + what
                        + (others.isEmpty() ? "." : ", or use engine: " + others + "."));
    }

    private List<String> names(Predicate<Engine> of) {
        return engines.stream().filter(of).map(Engine::name).distinct().collect(Collectors.toList());
    }
}
