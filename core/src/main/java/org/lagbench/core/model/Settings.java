package org.lagbench.core.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.lagbench.core.clock.Durations;

/**
 * The settings of a transport and an engine for one run, with all defaults, each within its range.
 *
 * @param asMap all values by name, in the order of their definitions: Long, Boolean or String
 */
public record Settings(@JsonValue Map<String, Object> asMap) {
    /**
     * Creates settings that a run had: each a whole number, true, false or text. Where a run is executed,
     * {@link #of(List, Map)} checks them.
     *
     * @throws IllegalArgumentException if a value is anything else
     */
    public Settings {
        Map<String, Object> copies = new LinkedHashMap<>();
        asMap.forEach((name, value) -> {
            if (value instanceof Integer || value instanceof Long) {
                copies.put(name, ((Number) value).longValue());
            } else if (value instanceof Boolean || value instanceof String) {
                copies.put(name, value);
            } else {
                throw new IllegalArgumentException(
                        name + " is " + value + ", neither a whole number nor true, false or text");
            }
        });
        asMap = Collections.unmodifiableMap(copies);
    }

    /**
     * Checks values against their definitions and fills in the defaults.
     *
     * @param given values as a user writes them, by the setting's name
     * @throws IllegalArgumentException if a name is unknown or a value not accepted; the message says what is
     */
    public static Settings of(List<Parameter<?>> definitions, Map<String, String> given) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Parameter<?> definition : definitions) {
            values.put(
                    definition.name(),
                    definition.parse(given.getOrDefault(definition.name(), definition.absentText())));
        }
        for (String name : given.keySet()) {
            if (!values.containsKey(name)) {
                throw new IllegalArgumentException(
                        name + ": there is no such setting; there are " + String.join(", ", values.keySet()) + ".");
            }
        }
        return new Settings(values);
    }

    @JsonCreator
    static Settings ofRecorded(Map<String, Object> values) {
        return new Settings(values);
    }

    /** Returns the union of these settings and others with different names. */
    public Settings and(Settings others) {
        Map<String, Object> both = new LinkedHashMap<>(asMap);
        both.putAll(others.asMap);
        return new Settings(both);
    }

    public long number(String name) {
        return optionalNumber(name).orElseThrow(() -> new IllegalArgumentException(name + " is not a number"));
    }

    /** Returns the number of a setting; empty if it is a word ("auto"). */
    public OptionalLong optionalNumber(String name) {
        return value(name) instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
    }

    /** Returns the length of time of a setting in ns; 0 if it is "none". */
    public long intervalNs(String name) {
        String text = word(name);
        return text.equals(Parameter.NONE) ? 0 : Durations.parseNs(text);
    }

    public boolean flag(String name) {
        return value(name) instanceof Boolean flag && flag;
    }

    /** Returns the value of a setting as text. */
    public String word(String name) {
        return value(name).toString();
    }

    /** Returns all values by name as text, from which {@link #of} makes equal settings. */
    public Map<String, String> asText() {
        Map<String, String> text = new LinkedHashMap<>();
        asMap.forEach((name, value) -> text.put(name, value.toString()));
        return text;
    }

    private Object value(String name) {
        Object value = asMap.get(name);
        if (value == null) {
            throw new IllegalArgumentException("there is no setting " + name);
        }
        return value;
    }

    @Override
    public String toString() {
        return asMap.toString();
    }
}
