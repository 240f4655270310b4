package org.lagbench.core.yaml;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
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
    static <R extends Record> String mapping(Section<R> section, R values) {
        return mapping(entries(section, values));
    }

    static String mapping(Collection<String> entries) {
        return "{" + String.join(", ", entries) + "}";
    }

    /** Returns the key and value of each parameter that has one. */
    static <R extends Record> List<String> entries(Section<R> section, R values) {
        List<String> entries = new ArrayList<>();
        Iterator<Object> all = section.values(values).iterator();
        for (Parameter<?> parameter : section.parameters()) {
            Object value = all.next();
            Section<?> inner = parameter.section();
            if (inner != null && parameter.name().isEmpty()) {
                entries.addAll(innerEntries(inner, value));
            } else if (!isAbsent(parameter, value)) {
                entries.add(parameter.name() + ": " + value(parameter, value));
            }
        }
        return entries;
    }

    /** Returns a value as its key in a mapping has it. */
    @SuppressWarnings("unchecked") // a section and a list have values of their declared type
    static String value(Parameter<?> parameter, Object value) {
        Object inner = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        Section<?> section = parameter.section();
        if (section != null && inner != null) {
            return mapping(innerEntries(section, inner));
        }
        Parameter<?> element = parameter.element();
        if (element != null) {
            return ((List<Object>) value)
                    .stream().map(one -> value(element, one)).collect(Collectors.joining(", ", "[", "]"));
        }
        return scalar(((Parameter<Object>) parameter).format(value));
    }

    @SuppressWarnings("unchecked") // a section has a value of its record
    private static <R extends Record> List<String> innerEntries(Section<R> section, Object values) {
        return entries(section, (R) values);
    }

    @SuppressWarnings("unchecked") // by the declaration of the parameter
    private static boolean isAbsent(Parameter<?> parameter, Object value) {
        return parameter.section() == null
                && parameter.element() == null
                && ((Parameter<Object>) parameter).format(value).isEmpty();
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
