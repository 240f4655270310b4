package org.lagbench.core.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.experiment.YamlNode.Entry;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.experiment.YamlNode.Scalar;
import org.lagbench.core.experiment.YamlNode.Sequence;
import org.lagbench.core.failure.LagbenchException;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads YAML text into nodes that know their places. Takes the plain part of YAML: mappings, lists, values. Refuses
 * aliases and tags, which a file of settings does not need, and keys that are there twice.
 */
final class YamlReader {
    private static final int DEEPEST = 8;
    private static final YAMLFactory FACTORY = YAMLFactory.builder().build();

    private final YAMLParser parser;
    private final SourceLocation source;
    private final Problems problems;

    private YamlReader(YAMLParser parser, SourceLocation source, Problems problems) {
        this.parser = parser;
        this.source = source;
        this.problems = problems;
    }

    /**
     * Reads a text.
     *
     * @param source where the text comes from
     * @param name what the text is the value of, for messages: "receiver: ", or empty
     * @param problems takes what is wrong but does not prevent reading on
     * @return the value, or null if there is none
     * @throws LagbenchException if it is not YAML, with all problems so far
     */
    static @Nullable YamlNode read(String text, SourceLocation source, String name, Problems problems)
            throws LagbenchException {
        try (YAMLParser parser = (YAMLParser) FACTORY.createParser(ObjectReadContext.empty(), text)) {
            return new YamlReader(parser, source, problems).document();
        } catch (JacksonException e) {
            problems.add(place(e, source), name + "this is not YAML: " + reason(e) + ".");
        } catch (UnfitException e) {
            problems.add(e.place, name + e.sentence);
        }
        problems.throwIfAny();
        throw new AssertionError("a problem was added");
    }

    /** Reads a text that is known to be right: a default. */
    static YamlNode readKnown(String text, SourceLocation source) {
        try {
            YamlNode node = read(text, source, "", new Problems());
            return node == null ? new Scalar(source, null) : node;
        } catch (LagbenchException e) {
            throw new AssertionError(e);
        }
    }

    private @Nullable YamlNode document() throws UnfitException {
        JsonToken token = parser.nextToken();
        if (token == null) {
            return null;
        }
        YamlNode root = node(token, 0);
        if (parser.nextToken() != null) {
            throw new UnfitException(here(), "a second document begins here; there must be one only.");
        }
        return root;
    }

    private YamlNode node(JsonToken token, int depth) throws UnfitException {
        SourceLocation place = here();
        if (parser.isCurrentAlias()) {
            throw new UnfitException(place, "aliases (*name) are not accepted; write the value out.");
        }
        if (parser.getTypeId() != null) {
            throw new UnfitException(place, "tags (!name) are not accepted; write the plain value.");
        }
        if (depth > DEEPEST) {
            throw new UnfitException(place, "this is nested too deeply.");
        }
        return switch (token) {
            case START_OBJECT -> mapping(place, depth);
            case START_ARRAY -> sequence(place, depth);
            case VALUE_NULL -> new Scalar(place, null);
            default -> new Scalar(place, parser.getString());
        };
    }

    private Mapping mapping(SourceLocation place, int depth) throws UnfitException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            SourceLocation keyPlace = here();
            Entry entry = new Entry(keyPlace, node(parser.nextToken(), depth + 1));
            Entry first = entries.putIfAbsent(key, entry);
            if (first != null) {
                problems.add(keyPlace, Scalar.shown(key) + ": this key is there already" + inLineOf(first) + ".");
            }
        }
        return new Mapping(place, entries);
    }

    private Sequence sequence(SourceLocation place, int depth) throws UnfitException {
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

    /** YAML that an experiment does not take, and after which reading on makes no sense. */
    private static final class UnfitException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient SourceLocation place;
        private final String sentence;

        UnfitException(SourceLocation place, String sentence) {
            super(sentence);
            this.place = place;
            this.sentence = sentence;
        }
    }
}
