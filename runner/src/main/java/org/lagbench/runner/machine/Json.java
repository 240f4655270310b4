package org.lagbench.runner.machine;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

/** Formats the output of lagbench as JSON, for other programs. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
            .build();

    private Json() {}

    /** Returns the indented JSON of a value, without a final newline. */
    public static String text(Object value) {
        return MAPPER.writeValueAsString(value);
    }
}
