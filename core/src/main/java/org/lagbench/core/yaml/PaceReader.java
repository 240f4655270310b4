package org.lagbench.core.yaml;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.Pace;
import org.lagbench.core.yaml.MappingReader.Placed;
import org.lagbench.core.yaml.YamlNode.Scalar;

/** Reads and writes {@code pace}: a mapping of mode, interval and burst, or the word flood, or a list of these. */
final class PaceReader {
    static final Pace DEFAULT = ExperimentKeys.PACES.createDefault();

    private static final Parameter<List<Pace>> KEY = ExperimentKeys.PACE;

    private final Problems problems;

    PaceReader(Problems problems) {
        this.problems = problems;
    }

    /** Returns the paces, without refused ones. */
    List<Placed<Pace>> read(MappingReader keys, YamlNode node) {
        List<Placed<Pace>> paces = new ArrayList<>();
        Set<Pace> different = new HashSet<>();
        for (YamlNode element : keys.elements(KEY.name(), node, KEY)) {
            pace(element).ifPresent(pace -> {
                if (different.add(pace.value())) {
                    paces.add(pace);
                } else {
                    problems.add(element.place(), KEY.name() + ": this pace is in the list twice.");
                }
            });
        }
        return paces;
    }

    private Optional<Placed<Pace>> pace(YamlNode node) {
        return node instanceof Scalar scalar && Pace.Mode.FLOOD.text().equals(scalar.text())
                ? Optional.of(new Placed<>(node.place(), Pace.flood()))
                : MappingReader.ofSection(KEY, node, ExperimentKeys.PACES.names(), problems)
                        .flatMap(PaceReader::fromMapping);
    }

    private static Optional<Placed<Pace>> fromMapping(MappingReader keys) {
        if (!keys.isWord(ExperimentKeys.MODE, Pace.Mode.FLOOD.text())) {
            return keys.record(ExperimentKeys.PACES)
                    .map(pace -> new Placed<>(keys.place(RunParameters.INTERVAL), pace));
        }
        boolean hasInterval = refuseInFlood(keys, RunParameters.INTERVAL, "interval");
        boolean hasBurst = refuseInFlood(keys, RunParameters.BURST, "bursts");
        return hasInterval || hasBurst ? Optional.empty() : Optional.of(new Placed<>(keys.place(), Pace.flood()));
    }

    private static boolean refuseInFlood(MappingReader keys, Parameter<?> key, String what) {
        if (keys.has(key)) {
            keys.add(key, "a flood has no " + what + "; leave it out, or write pace: flood.");
            return true;
        }
        return false;
    }

    /** Returns a pace as a user would write it. */
    static String format(Pace pace) {
        return pace.mode() == Pace.Mode.FLOOD
                ? YamlWriter.mapping(List.of(ExperimentKeys.MODE.yaml(pace.mode())))
                : YamlWriter.mapping(ExperimentKeys.PACES, pace);
    }
}
