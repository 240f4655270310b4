package org.lagbench.control;

import java.net.ProtocolException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.file.StrictJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages as JSON. No value is converted to another type. Thread-safe.
 *
 * @param <M> the sealed type of the messages, which are records
 */
final class MessageFormat<M> {
    private final Map<String, Class<?>> types;
    private final UnaryOperator<String> texts;

    /** @param texts applied to all texts that are read */
    MessageFormat(Class<M> messages, UnaryOperator<String> texts) {
        this.types = records(messages).collect(Collectors.toUnmodifiableMap(MessageFormat::name, Function.identity()));
        this.texts = texts;
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type)
                : Arrays.stream(type.getPermittedSubclasses()).flatMap(MessageFormat::records);
    }

    /** Returns the name of a type of messages: "clock-is". */
    static String name(Class<?> type) {
        return type.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    byte[] write(M message) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("type", name(message.getClass()));
        return StrictJson.bytes(tree.setAll((ObjectNode) StrictJson.tree(message)));
    }

    /**
     * Reads a message.
     *
     * @throws ProtocolException if the line is not a message, or has an impossible value; the exception's message names
     *     the field
     */
    @SuppressWarnings("unchecked") // types has only those of M
    M read(byte[] bytes, int start, int length) throws ProtocolException {
        JsonNode tree;
        try {
            tree = StrictJson.parse(bytes, start, length);
        } catch (IllegalArgumentException e) {
            throw new ProtocolException("a line that is not a message");
        }
        JsonNode name = tree.path("type");
        Class<?> type = name.isString() ? types.get(name.stringValue()) : null;
        if (type == null) {
            throw new ProtocolException("a line that is not a message");
        }
        try {
            return (M) StrictJson.convert(tree, type, texts);
        } catch (IllegalArgumentException e) {
            String why = UntrustedText.line(String.valueOf(e.getMessage()));
            throw new ProtocolException("an invalid message \"" + name(type) + "\": " + why);
        }
    }
}
