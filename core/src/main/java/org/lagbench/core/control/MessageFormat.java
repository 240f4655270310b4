package org.lagbench.core.control;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.net.ProtocolException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.RunJson;
import org.lagbench.core.text.ForeignText;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Messages as JSON. No value is converted to another type, and unprintable characters in the peer's texts are escaped,
 * so that they can be printed. Thread-safe.
 */
final class MessageFormat {
    private static final JsonMapper JSON = RunJson.builder()
            .addModule(new SimpleModule()
                    .addDeserializer(String.class, new TextReader())
                    .addKeyDeserializer(String.class, new NameReader()))
            .build();

    private static final Map<Class<?>, String> NAMES = Arrays.stream(
                    ControlMessage.class.getAnnotation(JsonSubTypes.class).value())
            .collect(Collectors.toUnmodifiableMap(JsonSubTypes.Type::value, JsonSubTypes.Type::name));

    private MessageFormat() {}

    /** Returns the name of a type of messages: "clock-is". */
    static String name(Class<? extends ControlMessage> type) {
        return NAMES.getOrDefault(type, "message");
    }

    static byte[] write(ControlMessage message) {
        return JSON.writerFor(ControlMessage.class).writeValueAsBytes(message);
    }

    /**
     * Reads a message.
     *
     * @throws ProtocolException if it is none, or has an impossible value; the exception's message names the field
     */
    static ControlMessage read(byte[] bytes, int start, int length) throws ProtocolException {
        try {
            ControlMessage message = JSON.readerFor(ControlMessage.class).readValue(bytes, start, length);
            if (message == null) {
                throw new ProtocolException("an empty message");
            }
            return message;
        } catch (JacksonException e) {
            throw (ProtocolException) new ProtocolException(problem(bytes, start, length, e)).initCause(e);
        }
    }

    private static String problem(byte[] bytes, int start, int length, JacksonException failure) {
        String type = type(bytes, start, length);
        if (type == null) {
            return "a line that is not a message";
        }
        String field = failure.getPath().stream()
                .map(JacksonException.Reference::getPropertyName)
                .filter(name -> name != null)
                .collect(Collectors.joining("."));
        String value = field.isEmpty() ? "a value" : ForeignText.line(field, 100);
        String why = failure.getCause() instanceof IllegalArgumentException impossible
                ? (field.isEmpty() ? "" : value + ".") + impossible.getMessage()
                : value + " is missing or of a wrong type";
        return "an invalid message \"" + type + "\": " + ForeignText.line(why);
    }

    /** Returns the name of the message's type; null if the bytes are no message. */
    private static @Nullable String type(byte[] bytes, int start, int length) {
        try {
            JsonNode type = JSON.readTree(bytes, start, length).path("type");
            return type.isString() && NAMES.containsValue(type.stringValue()) ? type.stringValue() : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static final class TextReader extends StdDeserializer<String> {
        TextReader() {
            super(String.class);
        }

        @Override
        public String deserialize(JsonParser parser, DeserializationContext context) {
            return parser.hasToken(JsonToken.VALUE_STRING)
                    ? ForeignText.escape(parser.getString())
                    : (String) context.handleUnexpectedToken(String.class, parser);
        }
    }

    private static final class NameReader extends KeyDeserializer {
        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            return ForeignText.escape(key);
        }
    }
}
