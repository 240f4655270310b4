package org.lagbench.core.experiment;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lagbench.core.experiment.YamlNode.Entry;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.experiment.YamlNode.Scalar;
import org.lagbench.core.failure.LagbenchException;

/** Replaces values of an experiment file by those of {@code --set key=value}. */
final class Overrides {
    /** Keys whose value is not parsed as YAML, so that {@code --set receiver=[::1]:5001} needs no quotes. */
    private static final Set<String> TEXT = Set.of(
            ExperimentKeys.NAME.name(),
            ExperimentKeys.RECEIVER.name(),
            ExperimentKeys.KEY_FILE.name(),
            ExperimentKeys.CLOCK.name() + "." + ClockReader.CHRONY.name());

    private Overrides() {}

    /**
     * Applies overrides in order; the last one for a key wins.
     *
     * @param overrides each {@code key=value} or {@code section.key=value}, the value in YAML
     * @throws LagbenchException if a value is not YAML, with all problems so far
     */
    static Mapping apply(Mapping root, List<String> overrides, Problems problems) throws LagbenchException {
        Mapping merged = root;
        for (String override : overrides) {
            int equals = override.indexOf('=');
            List<String> path = equals < 1
                    ? List.of()
                    : Arrays.asList(override.substring(0, equals).strip().split("\\.", -1));
            if (path.isEmpty() || path.size() > 2 || path.contains("")) {
                problems.add(
                        SourceLocation.override(),
                        Scalar.quote(override) + " is not key=value, such as packets=1000 or tcp.no-delay=false.");
            } else {
                YamlNode value = value(String.join(".", path), override.substring(equals + 1), problems);
                merged = with(merged, path, value, problems);
            }
        }
        return merged;
    }

    private static YamlNode value(String key, String text, Problems problems) throws LagbenchException {
        if (TEXT.contains(key)) {
            return new Scalar(SourceLocation.override(), text.isEmpty() || text.equals("null") ? null : text);
        }
        YamlNode value = YamlReader.read(text, SourceLocation.override(), key + ": ", problems);
        return value == null ? new Scalar(SourceLocation.override(), null) : value;
    }

    private static Mapping with(Mapping mapping, List<String> path, YamlNode value, Problems problems) {
        String key = path.get(0);
        Map<String, Entry> entries = new LinkedHashMap<>(mapping.entries());
        Entry former = entries.get(key);
        YamlNode inner = value;
        if (path.size() > 1) {
            if (former == null || former.value().isNothing()) {
                inner = with(
                        new Mapping(SourceLocation.override(), Map.of()),
                        path.subList(1, path.size()),
                        value,
                        problems);
            } else if (former.value() instanceof Mapping section) {
                inner = with(section, path.subList(1, path.size()), value, problems);
            } else {
                problems.add(
                        SourceLocation.override(),
                        String.join(".", path) + ": " + key + " is "
                                + former.value().found() + " here; set the whole of it: --set " + key + "=….");
                return mapping;
            }
        }
        entries.put(
                key,
                new Entry(former == null || path.size() == 1 ? SourceLocation.override() : former.keyPlace(), inner));
        return new Mapping(mapping.place(), entries);
    }
}
