package org.lagbench.core.file;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.function.UnaryOperator;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records as JSON. Unlike Jackson alone it refuses nulls for components that are not {@code @Nullable}, also in lists
 * and maps, values of other types, such as text for a number, and those that are not {@link Within} a range. Members
 * that a record does not have are ignored. A missing member has its value in the constant {@code DEFAULT} of its
 * record, or the constant {@code DEFAULT} of its type. Thread-safe.
 */
public final class StrictJson {
    /** The end of the message on a member that is missing and has no default. */
    public static final String MISSING = "is missing";

    private static final JsonMapper JSON = builder().build();
    private static final ObjectWriter INDENTED = JSON.writer(SerializationFeature.INDENT_OUTPUT);

    private StrictJson() {}

    /** Returns a tree as indented JSON. */
    public static String indented(JsonNode tree) {
        return INDENTED.writeValueAsString(tree);
    }

    /** Returns a tree as one line of JSON, without the line's end. */
    public static byte[] bytes(JsonNode tree) {
        return JSON.writeValueAsBytes(tree);
    }

    /** Reads JSON of any form. */
    public static JsonNode parse(byte[] json) throws JacksonException {
        return JSON.readTree(json);
    }

    /** Reads JSON of any form from a part of an array. */
    public static JsonNode parse(byte[] json, int start, int length) throws JacksonException {
        return JSON.readTree(json, start, length);
    }

    /** Returns the mapper for values that Jackson reads and writes. */
    static JsonMapper mapper() {
        return JSON;
    }

    /** Returns a builder of mappers for which only the components of a record are its members. */
    public static JsonMapper.Builder builder() {
        return JsonMapper.builder()
                .changeDefaultVisibility(members -> members.withIsGetterVisibility(Visibility.NONE))
                // else an empty text is read as null by types that are not a text
                .withCoercionConfigDefaults(
                        config -> config.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail));
    }

    /** Returns a record as one line of JSON, without the line's end. */
    public static String line(Record value) {
        return JSON.writeValueAsString(tree(value));
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException if the text has none, or a value is not accepted
     */
    public static <T extends Record> T read(String text, Class<T> type) {
        try {
            return convert(JSON.readTree(text), type);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Converts a tree to a record.
     *
     * @throws IllegalArgumentException if the tree does not fit; the message has the member and what is wrong with it,
     *     without a period: {@code counts.received: "x" is not a whole number}
     */
    public static <T extends Record> T convert(JsonNode tree, Class<T> type) {
        return convert(tree, type, UnaryOperator.identity());
    }

    /** Converts a tree like {@link #convert(JsonNode, Class)}, with another form of all texts and names. */
    public static <T> T convert(JsonNode tree, Class<T> type, UnaryOperator<String> texts) {
        return type.cast(new RecordReader(texts).record(tree, type, ""));
    }

    /** Returns a record, or a map or list of records and simpler values, as a tree. */
    public static JsonNode tree(Object value) {
        return RecordWriter.tree(value);
    }

    /**
     * Checks that a number of a record can be true.
     *
     * @throws IllegalArgumentException if it is out of range; the message begins with the field
     */
    public static void requireWithin(long value, long min, long max, String field) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(field + " is " + value
                    + (max == Long.MAX_VALUE ? ", below " + min : ", not from " + min + " to " + max));
        }
    }
}
