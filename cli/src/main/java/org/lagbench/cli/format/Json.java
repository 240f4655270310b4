package org.lagbench.cli.format;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

/** Records as JSON, for the programs that read what lagbench prints. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
            .build();

    private Json() {}

    /** The value, indented, without a newline at its end. */
    public static String text(Object value) {
        return MAPPER.writeValueAsString(value);
    }
}
