package org.lagbench.core.file;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records as JSON. Unlike Jackson alone it refuses nulls for components that are not {@code @Nullable}, also in lists
 * and maps, values of other types, such as text for a number, those that are not {@link Within} a range, and members
 * that are there twice. Members that a record does not have are ignored. A missing member has its value in the constant
 * {@code DEFAULT} of its record, or the constant {@code DEFAULT} of its type. Thread-safe.
 */
public final class StrictJson {
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
     * Parses JSON in UTF-8.
     *
     * @throws IllegalArgumentException if it is not JSON, or has a member twice or too large a number; the message has
     *     the line, or the member and its value, without a period
     */
    public static JsonNode parse(byte[] json) {
        return parse(json, 0, json.length);
    }

    /** Parses a part of an array like {@link #parse(byte[])}. */
    public static JsonNode parse(byte[] json, int start, int length) {
        return JsonText.parse(json, start, length);
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException see {@link #parse(byte[])} and {@link #convert(JsonNode, Class)}
     */
    public static <T extends Record> T read(String text, Class<T> type) {
        return convert(parse(text.getBytes(StandardCharsets.UTF_8)), type);
    }

    /**
     * Reads a file of a record.
     *
     * @param format the format and its version, the file's member {@code format}
     * @throws LagbenchException with {@link ExitCode#FILES}, the file, the member and its value, if the file cannot be
     *     read or used
     */
    public static <T extends Record> T read(Path file, String format, Class<T> type) throws LagbenchException {
        ObjectNode tree = read(file, format);
        try {
            return convert(tree, type);
        } catch (IllegalArgumentException e) {
            throw unusable(file, e);
        }
    }

    /** Reads a file like {@link #read(Path, String, Class)}, with all its members. */
    public static ObjectNode read(Path file, String format) throws LagbenchException {
        try {
            JsonNode tree = parse(Files.readAllBytes(file));
            JsonNode found = tree.path("format");
            if (tree instanceof ObjectNode object
                    && found.isString()
                    && found.stringValue().equals(format)) {
                return object;
            }
            throw new IllegalArgumentException("format: "
                    + (found.isMissingNode() ? "it is missing" : JsonText.quote(found) + " is not \"" + format + "\""));
        } catch (IOException e) {
            throw IoErrors.toException(file + " cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw unusable(file, e);
        }
    }

    private static LagbenchException unusable(Path file, IllegalArgumentException reason) {
        String why = String.valueOf(reason.getMessage()).replaceFirst("\\.$", "");
        return ExitCode.FILES.failure(file + ": " + why + ". Restore the file from a copy.", reason);
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

    /**
     * Checks the members of a record that a tree has.
     *
     * @param path of the tree, for the message
     * @throws IllegalArgumentException see {@link #convert(JsonNode, Class)}
     */
    public static void check(JsonNode tree, Class<? extends Record> type, String path) {
        new RecordReader(UnaryOperator.identity()).check(tree, type, path);
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
