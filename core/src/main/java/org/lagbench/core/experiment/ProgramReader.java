package org.lagbench.core.experiment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.lagbench.core.engine.Engine;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.engine.Traffic;
import org.lagbench.core.experiment.ValueReader.Placed;
import org.lagbench.core.experiment.YamlNode.Scalar;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Program;
import org.lagbench.core.transport.Transport;

/** Reads what sends and receives the packets, and what is observed of it. */
final class ProgramReader {
    private final Engines engines;
    private final ValueReader values;
    private final Problems problems;

    ProgramReader(Engines engines, Problems problems) {
        this.engines = engines;
        this.values = new ValueReader(problems);
        this.problems = problems;
    }

    /** The engines, without those that were refused. */
    List<Placed<Engine>> engines(YamlNode node) {
        ExperimentKey key = ExperimentKey.ENGINE;
        String accepted = "one or several of " + String.join(", ", engines.names());
        List<Placed<Engine>> listed = new ArrayList<>();
        for (Placed<String> name : values.many(key.text(), node, accepted, text -> text)) {
            try {
                listed.add(new Placed<>(name.place(), engines.named(name.value())));
            } catch (LagbenchException e) {
                problems.add(
                        name.place(),
                        key.text() + ": " + Scalar.quote(name.value()) + " is not an engine; "
                                + (name.value().contains(",")
                                        ? Problems.LIST_HINT
                                        : NearestName.hint(name.value(), engines.names())));
            }
        }
        return listed;
    }

    /** The sets of options, without those that were refused. */
    private List<JvmOptions> jvmOptions(YamlNode node) {
        ExperimentKey key = ExperimentKey.JVM;
        Set<JvmOptions> different = new LinkedHashSet<>();
        for (Placed<String> text : values.many(key.text(), node, key.accepted(), text -> text)) {
            try {
                JvmOptions options = JvmOptions.parse(text.value());
                if (!different.add(options)) {
                    problems.add(text.place(), key.text() + ": " + options.text() + " is in the list twice.");
                }
            } catch (IllegalArgumentException e) {
                problems.add(text.place(), key.text() + ": " + e.getMessage());
            }
        }
        return List.copyOf(different);
    }

    /** What is observed, without what was refused. */
    Set<Observation> observe(YamlNode node) {
        ExperimentKey key = ExperimentKey.OBSERVE;
        Set<Observation> observed = EnumSet.noneOf(Observation.class);
        if (!(node instanceof Scalar scalar) || !Observation.NOTHING.equals(scalar.text())) {
            values.many(key.text(), node, key.accepted(), Observation::named)
                    .forEach(observation -> observed.add(observation.value()));
        }
        return observed;
    }

    /**
     * Returns each engine, those on a JVM with each set of options.
     *
     * @param jvmNode where the file names the options
     */
    List<Program> programs(List<Placed<Engine>> engines, YamlNode jvmNode) {
        List<JvmOptions> jvmOptions = jvmOptions(jvmNode);
        return engines.stream()
                .map(Placed::value)
                .flatMap(engine -> engine.runsOnJvm()
                        ? jvmOptions.stream().map(options -> new Program(engine.name(), options))
                        : Stream.of(new Program(engine.name(), JvmOptions.NONE)))
                .toList();
    }

    /**
     * Refuses what an engine cannot do.
     *
     * @param transports over which it is to send
     * @param observeNode where the file names what is observed
     */
    void check(
            List<Placed<Engine>> listed,
            Collection<Transport> transports,
            YamlNode observeNode,
            Set<Observation> observed) {
        for (Placed<Engine> engine : listed) {
            for (Transport transport : transports) {
                if (refuse(engine.place(), engine.value(), transport, Set.of())) {
                    continue;
                }
                if (refuse(observeNode.place(), engine.value(), transport, observed)) {
                    break;
                }
            }
        }
    }

    private boolean refuse(SourceLocation place, Engine engine, Transport transport, Set<Observation> observed) {
        try {
            engines.check(engine, transport, Traffic.ONE_WAY, observed);
            return false;
        } catch (LagbenchException e) {
            problems.add(place, e.sentence());
            return true;
        }
    }
}
