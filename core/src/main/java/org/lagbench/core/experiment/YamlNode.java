package org.lagbench.core.experiment;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A value in a YAML file and where it stands. */
sealed interface YamlNode {
    /** Where the value begins. */
    SourceLocation place();

    /** Whether nothing, or null, was written. */
    default boolean isNothing() {
        return this instanceof Scalar scalar && scalar.text() == null;
    }

    /** What it is, for a message: the value itself, or "a list". */
    String found();

    /**
     * One value.
     *
     * @param text as written, without quotes; null if nothing or null was written
     */
    record Scalar(SourceLocation place, @Nullable String text) implements YamlNode {
        private static final Pattern NUMBER = Pattern.compile("-?\\d[\\w.]{0,19}");
        private static final int MOST_CHARACTERS_SHOWN = 60;

        @Override
        public String found() {
            if (text == null) {
                return "nothing";
            }
            return NUMBER.matcher(text).matches() ? text : quote(text);
        }

        /** Text for a message, in quotes. */
        static String quote(String text) {
            return "\"" + shown(text) + "\"";
        }

        /** Text for a message: on one line, without what a terminal would obey, not too long. */
        static String shown(String text) {
            StringBuilder shown = new StringBuilder();
            text.codePoints()
                    .limit(MOST_CHARACTERS_SHOWN)
                    .map(character -> Character.isISOControl(character) ? '?' : character)
                    .forEach(shown::appendCodePoint);
            return text.codePointCount(0, text.length()) > MOST_CHARACTERS_SHOWN ? shown + "…" : shown.toString();
        }
    }

    /** Values in a row. */
    record Sequence(SourceLocation place, List<YamlNode> elements) implements YamlNode {
        @Override
        public String found() {
            return elements.isEmpty() ? "an empty list" : "a list";
        }
    }

    /** Keys with values, in their order. */
    record Mapping(SourceLocation place, Map<String, Entry> entries) implements YamlNode {
        @Override
        public String found() {
            return "a mapping";
        }
    }

    /** A key's place and its value. */
    record Entry(SourceLocation keyPlace, YamlNode value) {}
}
