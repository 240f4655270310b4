package org.lagbench.core.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** An enum constant that users write in lower case with hyphens: {@code LAG_Q99} is {@code lag-q99}. */
public interface TextEnum {
    /** Returns the constant's name in Java. */
    String name();

    /** Returns the name in files and on the command line. */
    default String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns the constant that users call by this name.
     *
     * @param key the key or option whose value the text is, for the message
     * @throws IllegalArgumentException if there is none; the message lists what is accepted
     */
    static <E extends Enum<E> & TextEnum> E parse(Class<E> type, String key, String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        key + " \"" + text + "\" is not accepted; it takes " + accepted(type) + "."));
    }

    /** Returns all names as part of a sentence: "forward or backward". */
    static <E extends Enum<E> & TextEnum> String accepted(Class<E> type) {
        return Arrays.stream(type.getEnumConstants()).map(TextEnum::text).collect(Collectors.joining(" or "));
    }
}
