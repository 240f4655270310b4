package org.lagbench.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.core.model.Registry.Named;
import org.lagbench.core.model.Settings;

/**
 * A transport or engine of an experiment and the values of each of its settings. A setting with several values is an
 * axis.
 *
 * @param owner the transport or engine
 * @param values the accepted values of every setting as text, one or more each, in the order of the definitions
 */
public record SettingAxes<T extends Named>(T owner, Map<String, List<String>> values) {
    public SettingAxes {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        values.forEach((name, accepted) -> copy.put(name, List.copyOf(accepted)));
        values = Collections.unmodifiableMap(copy);
    }

    /** Returns the name of the transport or engine. */
    public String name() {
        return owner.name();
    }

    /** Returns the number of {@link #combinations()}, at most {@link Long#MAX_VALUE}. */
    public long combinationCount() {
        return (long) values.values().stream().mapToDouble(List::size).reduce(1, (a, b) -> a * b);
    }

    /** Returns every combination of the settings' values; the last setting varies fastest. */
    public List<Settings> combinations() {
        List<Map<String, String>> combinations = List.of(Map.of());
        for (Map.Entry<String, List<String>> axis : values.entrySet()) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> combination : combinations) {
                for (String value : axis.getValue()) {
                    Map<String, String> with = new LinkedHashMap<>(combination);
                    with.put(axis.getKey(), value);
                    longer.add(with);
                }
            }
            combinations = longer;
        }
        return combinations.stream()
                .map(given -> Settings.of(owner.settings(), given))
                .toList();
    }

    /** Returns the section of an experiment file; empty if there are no settings. */
    String toYaml() {
        StringBuilder yaml = new StringBuilder();
        values.forEach((name, accepted) -> yaml.append("  ")
                .append(name)
                .append(": ")
                .append(YamlWriter.oneOrList(
                        accepted.stream().map(YamlWriter::scalar).toList()))
                .append('\n'));
        return yaml.isEmpty() ? "" : name() + ":\n" + yaml;
    }
}
