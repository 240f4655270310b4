package org.lagbench.core.yaml;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.yaml.YamlNode.Scalar;

/** Reads and writes {@code capacity}: what {@code lagbench capacity} measures. */
final class CapacityReader {
    private static final String NONE = "none";

    private static final Key<CapacitySpec.Method> METHOD = Key.word("method", CapacitySpec.Method.class);
    private static final Key<Integer> BUDGET_MB = Key.integer("budget-mb", 1, 1_000_000);
    private static final List<Key<?>> KEYS = List.of(METHOD, BUDGET_MB);
    static final String ACCEPTED = NONE + ", or " + String.join(", ", Key.names(KEYS));

    private CapacityReader() {}

    /** Reads the value of {@code capacity}; null for none, and for a value that was refused. */
    static @Nullable CapacitySpec read(@Nullable YamlNode node, Problems problems) {
        if (node == null || (node instanceof Scalar scalar && NONE.equals(scalar.text()))) {
            return null;
        }
        return MappingReader.ofSection(ExperimentKeys.CAPACITY, node, KEYS, problems)
                .map(keys -> new CapacitySpec(
                        keys.get(METHOD, CapacitySpec.DEFAULT.method()),
                        keys.get(BUDGET_MB, CapacitySpec.DEFAULT.budgetMb())))
                .orElse(null);
    }

    /** Returns the value of {@code capacity} as a user would write it. */
    static String yaml(@Nullable CapacitySpec spec) {
        return spec == null
                ? NONE
                : Key.mapping(List.of(METHOD.yaml(spec.method().text()), BUDGET_MB.yaml(spec.budgetMb())));
    }
}
