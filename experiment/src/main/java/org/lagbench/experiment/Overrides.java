package org.lagbench.experiment;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunParameters;
import org.lagbench.experiment.YamlNode.Entry;
import org.lagbench.experiment.YamlNode.Mapping;
import org.lagbench.experiment.YamlNode.Scalar;

/**
 * Replaces values of an experiment file by those of the command line.
 *
 * @param source the location of the values in messages
 */
record Overrides(YamlNode.SourceLocation source, Problems problems) {
    /** Keys whose value is not parsed as YAML, so that {@code --set receiver=[::1]:5001} needs no quotes. */
    private static final Set<String> TEXT = Set.of(
            RunParameters.NAME.name(),
            ExperimentKeys.RECEIVER.name(),
            ExperimentKeys.KEY_FILE.name(),
            ExperimentKeys.CLOCK.name() + "." + ExperimentKeys.CHRONY.name());

    /**
     * Applies overrides in order; the last one for a key wins.
     *
     * @param overrides each {@code key=value} or {@code section.key=value}, the value in YAML
     * @throws LagbenchException if a value is not YAML, with all problems so far
     */
    Mapping apply(Mapping root, List<String> overrides) throws LagbenchException {
        Mapping merged = root;
        for (String override : overrides) {
            int equals = override.indexOf('=');
            List<String> path = equals < 1
                    ? List.of()
                    : Arrays.asList(override.substring(0, equals).strip().split("\\.", -1));
            if (path.isEmpty() || path.size() > 2 || path.contains("")) {
                problems.add(
                        source,
                        Scalar.quote(override) + " is not key=value, such as packets=1000 or tcp.no-delay=false.");
            } else {
                YamlNode value = value(String.join(".", path), override.substring(equals + 1));
                merged = with(merged, path, value);
            }
        }
        return merged;
    }

    private YamlNode value(String key, String text) throws LagbenchException {
        if (TEXT.contains(key)) {
            return new Scalar(source, text.isEmpty() || text.equals("null") ? null : text);
        }
        YamlNode value = YamlReader.read(text, source, key + ": ", problems);
        return value == null ? new Scalar(source, null) : value;
    }

    private Mapping with(Mapping mapping, List<String> path, YamlNode value) {
        String key = path.get(0);
        Map<String, Entry> entries = new LinkedHashMap<>(mapping.entries());
        Entry former = entries.get(key);
        YamlNode inner = value;
        if (path.size() > 1) {
            if (former == null || former.value().isNothing()) {
                inner = with(new Mapping(source, Map.of()), path.subList(1, path.size()), value);
            } else if (former.value() instanceof Mapping section) {
                inner = with(section, path.subList(1, path.size()), value);
            } else {
                problems.add(
                        source,
                        String.join(".", path) + ": " + key + " is "
                                + former.value().found() + " here; set the whole of it: --set " + key + "=….");
                return mapping;
            }
        }
        entries.put(key, new Entry(former == null || path.size() == 1 ? source : former.keyPlace(), inner));
        return new Mapping(mapping.place(), entries);
    }
}
