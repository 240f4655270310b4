package org.lagbench.report.table;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The settings of an emulated network by their keys, from its text in the flow style of YAML. */
final class NetworkSettings {
    private static final String NONE = "none";

    private final String text;
    private int at;
    private final Map<String, String> values = new LinkedHashMap<>();

    private NetworkSettings(String text) {
        this.text = text;
    }

    /** Returns the values by keys such as {@code forward.delay}; a text that is no mapping has the key "". */
    static Map<String, String> of(String network) {
        NetworkSettings settings = new NetworkSettings(network.strip());
        settings.read("");
        return settings.values;
    }

    /**
     * Returns the settings that differ, "forward.delay 350us, in the baseline 300us"; the whole texts if a side has
     * several.
     */
    static String difference(Set<String> baseline, Set<String> compared) {
        if (baseline.size() > 1 || compared.size() > 1) {
            return String.join(" or ", compared) + ", in the baseline " + String.join(" or ", baseline);
        }
        Map<String, String> before = of(baseline.iterator().next());
        Map<String, String> after = of(compared.iterator().next());
        Set<String> keys = new LinkedHashSet<>(after.keySet());
        keys.addAll(before.keySet());
        return keys.stream()
                .filter(key -> !after.getOrDefault(key, NONE).equals(before.getOrDefault(key, NONE)))
                .map(key -> (key + " " + after.getOrDefault(key, NONE)).strip() + ", in the baseline "
                        + before.getOrDefault(key, NONE))
                .collect(Collectors.joining("; "));
    }

    /** Reads a value and moves past it. */
    private void read(String key) {
        if (!text.startsWith("{", at)) {
            int from = at;
            skip();
            values.put(key, text.substring(from, at).strip());
            return;
        }
        at++;
        while (at < text.length() && text.charAt(at) != '}') {
            int colon = text.indexOf(':', at);
            if (colon < 0) {
                values.put(key, text.substring(at));
                at = text.length();
                return;
            }
            String name = text.substring(at, colon).strip();
            at = colon + 1;
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
            read(key.isEmpty() ? name : key + "." + name);
            if (text.startsWith(",", at)) {
                at++;
            }
        }
        at++;
    }

    /** Moves to the end of a scalar or a sequence. */
    private void skip() {
        int depth = 0;
        for (; at < text.length(); at++) {
            char next = text.charAt(at);
            if (depth == 0 && (next == ',' || next == '}')) {
                return;
            }
            depth += next == '[' || next == '{' ? 1 : next == ']' || next == '}' ? -1 : 0;
        }
    }
}
