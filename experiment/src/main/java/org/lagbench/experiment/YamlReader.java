package org.lagbench.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.experiment.YamlNode.Entry;
import org.lagbench.experiment.YamlNode.Mapping;
import org.lagbench.experiment.YamlNode.Scalar;
import org.lagbench.experiment.YamlNode.Sequence;
import org.lagbench.experiment.YamlNode.SourceLocation;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads YAML text into nodes with their locations. Accepts mappings, lists and scalars; refuses aliases, tags and
 * duplicate keys.
 *
 * @param source the origin of the text
 * @param name the beginning of messages: the key whose value the text is, "receiver: ", or empty
 * @param problems receives errors after which reading continues
 */
record YamlReader(YAMLParser parser, SourceLocation source, String name, Problems problems) {
    private static final int DEEPEST = 8;
    private static final YAMLFactory FACTORY = YAMLFactory.builder().build();

    /**
     * Reads a text.
     *
     * @return the value, or null if there is none
     * @throws LagbenchException if the text is not accepted, with all problems so far
     */
    static @Nullable YamlNode read(String text, SourceLocation source, String name, Problems problems)
            throws LagbenchException {
        try (YAMLParser parser = (YAMLParser) FACTORY.createParser(ObjectReadContext.empty(), text)) {
            return new YamlReader(parser, source, name, problems).document();
        } catch (JacksonException e) {
            problems.add(place(e, source), name + "this is not YAML: " + reason(e) + ".");
            throw problems.failure();
        }
    }

    /**
     * Reads a text that is a mapping.
     *
     * @param otherwise the error if it is something else
     */
    static Mapping readMapping(String text, SourceLocation source, String otherwise, Problems problems)
            throws LagbenchException {
        YamlNode root = read(text, source, "", problems);
        if (root instanceof Mapping mapping) {
            return mapping;
        }
        problems.add(root == null ? source : root.place(), otherwise);
        throw problems.failure();
    }

    private @Nullable YamlNode document() throws LagbenchException {
        JsonToken token = parser.nextToken();
        if (token == null) {
            return null;
        }
        YamlNode root = node(token, 0);
        if (parser.nextToken() != null) {
            throw refusal(here(), "a second document begins here; a file has one.");
        }
        return root;
    }

    private YamlNode node(JsonToken token, int depth) throws LagbenchException {
        SourceLocation place = here();
        if (parser.isCurrentAlias()) {
            throw refusal(place, "aliases (*name) are not accepted; write the value out.");
        }
        if (parser.getTypeId() != null) {
            throw refusal(place, "tags (!name) are not accepted; write the plain value.");
        }
        if (depth > DEEPEST) {
            throw refusal(place, "this is nested too deeply.");
        }
        return switch (token) {
            case START_OBJECT -> mapping(place, depth);
            case START_ARRAY -> sequence(place, depth);
            case VALUE_NULL -> new Scalar(place, null);
            default -> new Scalar(place, parser.getString());
        };
    }

    private LagbenchException refusal(SourceLocation place, String sentence) {
        problems.add(place, name + sentence);
        return problems.failure();
    }

    private Mapping mapping(SourceLocation place, int depth) throws LagbenchException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            SourceLocation keyPlace = here();
            Entry entry = new Entry(keyPlace, node(parser.nextToken(), depth + 1));
            Entry first = entries.putIfAbsent(key, entry);
            if (first != null) {
                problems.add(keyPlace, Scalar.shown(key) + ": this key is already set" + inLineOf(first) + ".");
            }
        }
        return new Mapping(place, entries);
    }

    private Sequence sequence(SourceLocation place, int depth) throws LagbenchException {
        List<YamlNode> elements = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            elements.add(node(token, depth + 1));
        }
        return new Sequence(place, elements);
    }

    private static String inLineOf(Entry first) {
        return first.keyPlace().line() == 0
                ? ""
                : ", in line " + first.keyPlace().line();
    }

    private SourceLocation here() {
        TokenStreamLocation location = parser.currentTokenLocation();
        return source.at(location.getLineNr(), location.getColumnNr());
    }

    private static SourceLocation place(JacksonException e, SourceLocation source) {
        if (e.getCause() instanceof MarkedYamlEngineException marked
                && marked.getProblemMark().isPresent()) {
            var mark = marked.getProblemMark().get();
            return source.at(mark.getLine() + 1, mark.getColumn() + 1);
        }
        TokenStreamLocation location = e.getLocation();
        return location == null ? source : source.at(location.getLineNr(), location.getColumnNr());
    }

    private static String reason(JacksonException e) {
        if (e.getOriginalMessage().startsWith("Expected a property name")) {
            return "a key must be a word";
        }
        String problem =
                e.getCause() instanceof MarkedYamlEngineException marked ? marked.getProblem() : e.getOriginalMessage();
        String firstLine = problem.lines().findFirst().orElse("").strip();
        return firstLine.endsWith(".") ? firstLine.substring(0, firstLine.length() - 1) : firstLine;
    }
}
