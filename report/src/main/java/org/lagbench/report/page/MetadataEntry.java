package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A named value of a JSON file.
 *
 * @param name its path in words, such as "clock · bound ns"
 */
public record MetadataEntry(String name, String value) {
    /** Returns everything in a node, in its order, except what is null or empty. */
    static List<MetadataEntry> of(JsonNode node) {
        List<MetadataEntry> entries = new ArrayList<>();
        collect("", node, entries);
        return entries;
    }

    private static void collect(String name, JsonNode node, List<MetadataEntry> entries) {
        if (node.isObject()) {
            String prefix = name.isEmpty() ? "" : name + " · ";
            node.properties().forEach(member -> collect(prefix + words(member.getKey()), member.getValue(), entries));
        } else if (node.isArray() && !node.valueStream().allMatch(JsonNode::isValueNode)) {
            for (int i = 0; i < node.size(); i++) {
                collect(name + " " + (i + 1), node.get(i), entries);
            }
        } else {
            String value = node.isArray()
                    ? node.valueStream().map(JsonNode::asString).collect(Collectors.joining(" "))
                    : node.asString();
            if (!value.isEmpty()) {
                entries.add(new MetadataEntry(name, value));
            }
        }
    }

    /** Returns "sendBufferBytes" and "send-buffer" as words; names with dots are those of the kernel and stay. */
    private static String words(String key) {
        return key.contains(".")
                ? key
                : key.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
                        .replace('-', ' ')
                        .toLowerCase(Locale.ROOT);
    }
}
