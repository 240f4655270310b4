package org.lagbench.core.file;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Parses JSON into trees. Unlike Jackson's reader of trees it refuses a member that an object has twice and a number
 * beyond the range of a double, and its messages name the member and the value.
 */
final class JsonText {
    private static final int LONGEST_QUOTE = 60;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final JsonParser parser;

    private JsonText(JsonParser parser) {
        this.parser = parser;
    }

    /** @throws IllegalArgumentException see {@link StrictJson#parse(byte[])} */
    static JsonNode parse(byte[] bytes, int start, int length) {
        try (JsonParser parser = StrictJson.mapper().createParser(bytes, start, length)) {
            if (parser.nextToken() == null) {
                throw new IllegalArgumentException("there is nothing in it");
            }
            JsonNode tree = new JsonText(parser).node(parser.currentToken());
            if (parser.nextToken() != null) {
                throw notJson(parser, null);
            }
            return tree;
        } catch (JacksonException e) {
            throw e.processor() instanceof JsonParser parser ? notJson(parser, e) : new IllegalArgumentException(e);
        }
    }

    private static IllegalArgumentException notJson(JsonParser parser, @Nullable JacksonException cause) {
        return new IllegalArgumentException(
                "line " + parser.currentLocation().getLineNr() + ", column "
                        + parser.currentLocation().getColumnNr() + ": this is not JSON",
                cause);
    }

    private JsonNode node(JsonToken token) {
        return switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> {
                ArrayNode array = NODES.arrayNode();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    array.add(node(next));
                }
                yield array;
            }
            case VALUE_NUMBER_INT ->
                switch (parser.getNumberType()) {
                    case INT -> NODES.numberNode(parser.getIntValue());
                    case LONG -> NODES.numberNode(parser.getLongValue());
                    default -> NODES.numberNode(parser.getBigIntegerValue());
                };
            case VALUE_NUMBER_FLOAT -> {
                double number = parser.getDoubleValue();
                if (!Double.isFinite(number)) {
                    throw new IllegalArgumentException(member() + ": " + parser.getString() + " is too large");
                }
                yield NODES.numberNode(number);
            }
            case VALUE_TRUE, VALUE_FALSE -> NODES.booleanNode(token == JsonToken.VALUE_TRUE);
            case VALUE_NULL -> NODES.nullNode();
            default -> NODES.stringNode(parser.getString());
        };
    }

    private ObjectNode object() {
        ObjectNode object = NODES.objectNode();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonNode value = node(parser.nextToken());
            JsonNode first = object.replace(name, value);
            if (first != null) {
                throw new IllegalArgumentException(
                        member() + ": it is there twice, as " + quote(first) + " and as " + quote(value));
            }
        }
        return object;
    }

    /** Returns the path of the current member: {@code clock.marks[0]}. */
    private String member() {
        String pointer = parser.streamReadContext().pathAsPointer().toString();
        return pointer.replaceAll("/(\\d+)(?=/|$)", "[$1]").replace('/', '.').replaceFirst("^\\.", "");
    }

    /** Returns a value as it is in JSON, shortened. */
    static String quote(JsonNode value) {
        String text = value.toString();
        return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
    }
}
