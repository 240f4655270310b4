package org.lagbench.experiment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Section;

/** Writes records by their parameters as YAML on one line, which reads as an equal record. */
final class YamlWriter {
    /** The pattern of text that needs no quotes, because YAML or this reader reads it as text. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_/.](?:[A-Za-z0-9_/.% -]*[A-Za-z0-9_/.%-])?");

    private static final Set<String> NOT_TEXT = Set.of("null", "Null", "NULL", "...");

    private YamlWriter() {}

    /** Returns a record as a mapping. */
    static String mapping(Section<?> section, Record values) {
        return mapping(entries(section, values, section.keys()));
    }

    /** Returns entries as a mapping: on one line, unless one of them has several. */
    static String mapping(Collection<String> entries) {
        return entries.stream().noneMatch(entry -> entry.contains("\n"))
                ? "{" + String.join(", ", entries) + "}"
                : entries.stream()
                        .map(entry -> "\n  " + entry.replace("\n", "\n  "))
                        .collect(Collectors.joining());
    }

    /** Returns the key and value of each parameter that has one and is among these keys. */
    static List<String> entries(Section<?> section, Record values, List<Parameter<?>> keys) {
        List<String> entries = new ArrayList<>();
        texts(section, values, keys).forEach((parameter, text) -> {
            if (!text.isEmpty()) {
                entries.add(parameter.name() + (text.startsWith("\n") ? ":" : ": ") + text);
            }
        });
        return entries;
    }

    /** Returns the value of each parameter that is among these keys, for a mapping without a name its own ones. */
    @SuppressWarnings("unchecked") // a record has values of its parameters
    static Map<Parameter<?>, String> texts(Section<?> section, Record values, List<Parameter<?>> keys) {
        Map<Parameter<?>, String> texts = new LinkedHashMap<>();
        Iterator<Object> all = ((Section<Record>) section).values(values).iterator();
        for (Parameter<?> parameter : section.parameters()) {
            Object value = all.next();
            Section<?> inner = parameter.section();
            Parameter<?> element = parameter.element();
            if (inner != null && parameter.name().isEmpty()) {
                texts.putAll(texts(inner, (Record) value, keys));
            } else if (element != null
                    && element.section() != null
                    && parameter.name().isEmpty()) {
                texts.putAll(lists(element.section(), (List<Record>) value, keys));
            } else if (has(keys, parameter)) {
                texts.put(parameter, value(parameter, value));
            }
        }
        return texts;
    }

    /** Returns the different values of each parameter that is among these keys. */
    private static Map<Parameter<?>, String> lists(
            Section<?> section, List<Record> combinations, List<Parameter<?>> keys) {
        Map<Parameter<?>, Set<String>> values = new LinkedHashMap<>();
        combinations.forEach(each -> texts(section, each, keys)
                .forEach((key, text) -> values.computeIfAbsent(key, any -> new LinkedHashSet<>())
                        .add(text)));
        Map<Parameter<?>, String> texts = new LinkedHashMap<>();
        values.forEach((key, different) -> texts.put(key, oneOrList(List.copyOf(different))));
        return texts;
    }

    private static boolean has(List<Parameter<?>> keys, Parameter<?> parameter) {
        return keys.stream().anyMatch(key -> key.name().equals(parameter.name()));
    }

    /**
     * Returns a value as its key in a mapping has it; empty if a file leaves the key out. A list of one value is that
     * value, unless the list may be empty.
     */
    @SuppressWarnings("unchecked") // a section and a list have values of their declared type
    static String value(Parameter<?> parameter, Object value) {
        Parameter<Object> typed = (Parameter<Object>) parameter;
        Object inner = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        Section<?> section = parameter.section();
        Parameter<?> element = parameter.element();
        if (typed.isWord(value)) {
            return typed.format(value);
        }
        if (section != null && inner != null) {
            return mapping(section, (Record) inner);
        }
        if (element != null) {
            List<String> texts = ((List<Object>) value)
                    .stream().map(one -> value(element, one)).toList();
            return List.of().equals(parameter.absent()) ? texts.toString() : oneOrList(texts);
        }
        String text = typed.format(value);
        return parameter.isYaml() || text.isEmpty() ? text : scalar(text);
    }

    /** Returns one text, or a list of several; empty without texts. */
    static String oneOrList(List<String> texts) {
        return switch (texts.size()) {
            case 0 -> "";
            case 1 -> texts.get(0);
            default -> texts.toString();
        };
    }

    /** Returns text as a YAML scalar, in quotes where YAML would read something else. */
    static String scalar(String text) {
        if (PLAIN.matcher(text).matches() && !NOT_TEXT.contains(text)) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(character -> {
            if (character == '"' || character == '\\') {
                quoted.append('\\').appendCodePoint(character);
            } else if ((character >= ' ' && character <= '~') || Character.isLetterOrDigit(character)) {
                quoted.appendCodePoint(character);
            } else {
                quoted.append(String.format("\\U%08x", character));
            }
        });
        return quoted.append('"').toString();
    }
}
