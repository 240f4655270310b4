package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Names with values, of what a file of JSON tells. */
public final class JsonEntries {
    private JsonEntries() {}

    /**
     * One fact.
     *
     * @param name what it is, its parts set apart by " · "
     * @param value what it is told to be
     */
    public record Fact(String name, String value) {}

    /** Everything in a node, in its order; what is null or empty is left out. */
    static List<Fact> of(JsonNode node) {
        List<Fact> facts = new ArrayList<>();
        collect("", node, facts);
        return facts;
    }

    private static void collect(String name, JsonNode node, List<Fact> facts) {
        if (node.isObject()) {
            node.properties()
                    .forEach(member -> collect(
                            name.isEmpty() ? words(member.getKey()) : name + " · " + words(member.getKey()),
                            member.getValue(),
                            facts));
        } else if (node.isArray()) {
            collectArray(name, node, facts);
        } else if (!node.isNull() && !node.asString().isEmpty()) {
            facts.add(new Fact(name, node.asString()));
        }
    }

    private static void collectArray(String name, JsonNode node, List<Fact> facts) {
        boolean plain = true;
        List<String> texts = new ArrayList<>();
        for (JsonNode element : node) {
            plain &= element.isValueNode();
            texts.add(element.isValueNode() ? element.asString() : "");
        }
        if (plain) {
            if (!texts.isEmpty()) {
                facts.add(new Fact(name, String.join(" ", texts)));
            }
            return;
        }
        int number = 0;
        for (JsonNode element : node) {
            collect(name + " " + ++number, element, facts);
        }
    }

    /** "sendBufferBytes" as words; names with dots or hyphens are those of settings and stay. */
    private static String words(String key) {
        return key.contains(".") || key.contains("-")
                ? key
                : key.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
