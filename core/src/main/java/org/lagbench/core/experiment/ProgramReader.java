package org.lagbench.core.experiment;

import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.lagbench.core.experiment.ValueReader.Placed;
import org.lagbench.core.experiment.YamlNode.Scalar;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Implementation;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.transport.Transport;

/** Reads what sends and receives the packets, and what is observed of it. */
final class ProgramReader {
    private final ValueReader values;
    private final Problems problems;

    ProgramReader(Problems problems) {
        this.values = new ValueReader(problems);
        this.problems = problems;
    }

    /** The implementations, without those that were refused. */
    List<Implementation> implementations(YamlNode node) {
        ExperimentKey key = ExperimentKey.IMPLEMENTATION;
        return values.many(key.text(), node, key.accepted(), Implementation::named).stream()
                .map(Placed::value)
                .toList();
    }

    /** The sets of options, without those that were refused. */
    List<JvmOptions> jvmOptions(YamlNode node) {
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
     * Refuses what a program that sends and receives cannot do.
     *
     * @param implementationNode where the file names the implementations
     * @param transports over which it is to send
     * @param observeNode where it names what is observed
     */
    void check(
            YamlNode implementationNode,
            List<Implementation> implementations,
            Collection<Transport> transports,
            YamlNode observeNode,
            Set<Observation> observed) {
        for (Implementation implementation : implementations) {
            for (Transport transport : transports) {
                try {
                    transport.check(implementation);
                } catch (LagbenchException e) {
                    problems.add(implementationNode.place(), e.sentence());
                }
            }
        }
        if (implementations.contains(Implementation.C) && observed.contains(Observation.STAGES)) {
            problems.add(
                    observeNode.place(),
                    ExperimentKey.OBSERVE.text()
                            + ": implementation: c records no stages; leave stages out, or use implementation: java.");
        }
    }
}
