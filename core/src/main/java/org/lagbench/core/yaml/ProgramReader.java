package org.lagbench.core.yaml;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.lagbench.core.engine.Engine;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.yaml.MappingReader.Placed;
import org.lagbench.core.yaml.YamlNode.Entry;
import org.lagbench.core.yaml.YamlNode.Mapping;

/** Reads which programs send and receive the packets, and what is observed of them. */
final class ProgramReader {
    private final Engines engines;
    private final boolean anyJvmOptions;
    private final Problems problems;

    /** Creates a reader; see {@link ExperimentReader#ExperimentReader(Transports, Engines, boolean)}. */
    ProgramReader(Engines engines, boolean anyJvmOptions, Problems problems) {
        this.engines = engines;
        this.anyJvmOptions = anyJvmOptions;
        this.problems = problems;
    }

    /** Returns the sets of options, without refused ones; one set without options by default. */
    private Set<JvmOptions> jvmOptions(MappingReader keys) {
        Parameter<List<String>> key = ExperimentKeys.JVM;
        Set<JvmOptions> different = new LinkedHashSet<>();
        for (Placed<String> text : keys.list(key)) {
            try {
                JvmOptions options = JvmOptions.parse(text.value());
                if (!anyJvmOptions) {
                    options.doubtful().forEach(option -> problems.add(text.place(), refusal(option)));
                }
                if (!different.add(options)) {
                    problems.add(text.place(), key.name() + ": " + options.text() + " is in the list twice.");
                }
            } catch (IllegalArgumentException e) {
                problems.add(text.place(), key.name() + ": " + e.getMessage());
            }
        }
        return different;
    }

    private static String refusal(String option) {
        return ExperimentKeys.JVM.name() + ": \"" + option + "\" may load code, open a port or write a file."
                + " To use it, give " + ExperimentReader.ALLOW_JVM_OPTIONS + " to sweep, tune, run or monitor.";
    }

    /** Returns what is observed, without what was refused. */
    Set<Observation> observe(MappingReader keys) {
        if (!keys.has(ExperimentKeys.OBSERVE)) {
            return Observation.DEFAULT;
        }
        return keys.isWord(ExperimentKeys.OBSERVE, Observation.NOTHING)
                ? Set.of()
                : Set.copyOf(MappingReader.values(keys.list(ExperimentKeys.OBSERVE)));
    }

    /**
     * Returns each engine with each combination of its settings, and those on a JVM with each set of options. Reads the
     * sections of all engines, also of those that are not listed.
     *
     * @param root the file
     * @param keys its keys
     */
    List<Program> programs(List<Placed<Engine>> listed, Mapping root, MappingReader keys) {
        Set<JvmOptions> jvmOptions = jvmOptions(keys);
        Map<Engine, TransportAxes> settings = new HashMap<>();
        for (Engine engine : engines.all()) {
            Entry section = engine.settings().isEmpty() ? null : root.entries().get(engine.name());
            settings.put(
                    engine,
                    new TransportReader(problems).axes(engine.name(), engine.settings(), section, root.place()));
        }
        List<Program> programs = new ArrayList<>();
        for (Placed<Engine> engine : listed) {
            for (Settings combination :
                    Objects.requireNonNull(settings.get(engine.value())).combinations()) {
                (engine.value().runsOnJvm() ? jvmOptions.stream() : Stream.of(JvmOptions.NONE))
                        .map(options -> new Program(engine.value().name(), combination, options))
                        .forEach(programs::add);
            }
        }
        return programs;
    }

    /**
     * Refuses experiments that an engine does not support.
     *
     * @param transports the transports of the experiment
     * @param traffics what its runs do
     * @param observePlace where the file says what is observed
     */
    void check(
            List<Placed<Engine>> listed,
            Collection<Transport> transports,
            List<Placed<TrafficSpec>> traffics,
            SourceLocation observePlace,
            Set<Observation> observed) {
        for (Placed<Engine> engine : listed) {
            for (Placed<TrafficSpec> traffic : traffics) {
                Traffic kind = traffic.value().kind();
                for (Transport transport : transports) {
                    if (!refuse(engine.place(), engine.value(), transport, kind, Set.of())
                            && refuse(observePlace, engine.value(), transport, kind, observed)) {
                        break;
                    }
                }
            }
        }
    }

    private boolean refuse(
            SourceLocation place, Engine engine, Transport transport, Traffic traffic, Set<Observation> observed) {
        try {
            engines.check(engine, transport, traffic, observed);
            return false;
        } catch (LagbenchException e) {
            problems.add(place, e.sentence());
            return true;
        }
    }
}
