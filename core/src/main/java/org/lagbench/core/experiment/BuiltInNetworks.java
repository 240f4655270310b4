package org.lagbench.core.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The networks that come with lagbench: files like a user's own, beside this class. */
final class BuiltInNetworks {
    /** Their names. */
    static final List<String> NAMES =
            List.of("ethernet-10", "ethernet-100", "gigabit", "wifi-like", "long-fat", "dumbbell");

    private BuiltInNetworks() {}

    /** The description of one of {@link #NAMES}. */
    static String yaml(String name) {
        try (InputStream in =
                Objects.requireNonNull(BuiltInNetworks.class.getResourceAsStream("networks/" + name + ".yaml"), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
