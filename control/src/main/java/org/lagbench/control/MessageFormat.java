package org.lagbench.control;

import java.net.ProtocolException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.file.StrictJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages as JSON. No value is converted to another type, and unprintable characters in the peer's texts are escaped,
 * so that they can be printed. Thread-safe.
 */
final class MessageFormat {
    private static final Map<String, Class<?>> TYPES = Arrays.stream(ControlMessage.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(MessageFormat::name, Function.identity()));

    private MessageFormat() {}

    /** Returns the name of a type of messages: "clock-is". */
    static String name(Class<?> type) {
        return type.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    static byte[] write(ControlMessage message) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("type", name(message.getClass()));
        return StrictJson.bytes(tree.setAll((ObjectNode) StrictJson.tree(message)));
    }

    /**
     * Reads a message.
     *
     * @throws ProtocolException if the line is not a message, or has an impossible value; the exception's message names
     *     the field
     */
    static ControlMessage read(byte[] bytes, int start, int length) throws ProtocolException {
        JsonNode tree;
        try {
            tree = StrictJson.parse(bytes, start, length);
        } catch (IllegalArgumentException e) {
            throw new ProtocolException("a line that is not a message");
        }
        JsonNode name = tree.path("type");
        Class<?> type = name.isString() ? TYPES.get(name.stringValue()) : null;
        if (type == null) {
            throw new ProtocolException("a line that is not a message");
        }
        try {
            return (ControlMessage) StrictJson.convert(tree, type, UntrustedText::escape);
        } catch (IllegalArgumentException e) {
            String why = UntrustedText.line(String.valueOf(e.getMessage()));
            throw new ProtocolException("an invalid message \"" + name(type) + "\": " + why);
        }
    }
}
