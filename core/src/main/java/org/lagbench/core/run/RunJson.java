package org.lagbench.core.run;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

/** Runs, requests and events as JSON, each in one line. Converts no value to another type. Thread-safe. */
public final class RunJson {
    private static final JsonMapper JSON = builder().build();

    private RunJson() {}

    /** Returns a builder of mappers for records whose constructors check their values. */
    public static JsonMapper.Builder builder() {
        return JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .changeDefaultVisibility(members -> members.withIsGetterVisibility(Visibility.NONE));
    }

    /** Returns a record as one line of JSON, without the line's end. */
    public static String line(Record value) {
        return JSON.writeValueAsString(value);
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException if the line has none, or a value is not accepted
     */
    public static <T extends Record> T read(String line, Class<T> type) {
        try {
            return JSON.readValue(line, type);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
        }
    }
}
