package org.lagbench.experiment;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A value in a YAML file and its location. */
sealed interface YamlNode {
    /** Returns where the value begins. */
    SourceLocation place();

    /** Returns whether the value is absent or null. */
    default boolean isNothing() {
        return this instanceof Scalar scalar && scalar.text() == null;
    }

    /** Returns the value for a message: the text itself, or "a list". */
    String found();

    /** A scalar: its text without quotes; null if absent or null. */
    record Scalar(SourceLocation place, @Nullable String text) implements YamlNode {
        private static final Pattern NUMBER = Pattern.compile("-?\\d[\\w.]{0,19}");
        private static final int MAX_CHARACTERS_SHOWN = 60;

        @Override
        public String found() {
            if (text == null) {
                return "nothing";
            }
            return NUMBER.matcher(text).matches() ? text : quote(text);
        }

        /** Returns text for a message, in quotes. */
        static String quote(String text) {
            return "\"" + shown(text) + "\"";
        }

        /** Returns text for a message: on one line, without control characters, truncated. */
        static String shown(String text) {
            StringBuilder shown = new StringBuilder();
            text.codePoints()
                    .limit(MAX_CHARACTERS_SHOWN)
                    .map(character -> Character.isISOControl(character) ? '?' : character)
                    .forEach(shown::appendCodePoint);
            return text.codePointCount(0, text.length()) > MAX_CHARACTERS_SHOWN ? shown + "…" : shown.toString();
        }
    }

    record Sequence(SourceLocation place, List<YamlNode> elements) implements YamlNode {
        @Override
        public String found() {
            return elements.isEmpty() ? "an empty list" : "a list";
        }
    }

    /** A mapping in the order of the file. */
    record Mapping(SourceLocation place, Map<String, Entry> entries) implements YamlNode {
        @Override
        public String found() {
            return "a mapping";
        }
    }

    /** A key's location and its value. */
    record Entry(SourceLocation keyPlace, YamlNode value) {}

    /**
     * A location in an experiment file.
     *
     * @param source the file as the user named it, {@code --set}, or empty for a command line without a file
     * @param line from 1; 0 for the whole source
     * @param column from 1
     */
    record SourceLocation(String source, int line, int column) implements Comparable<SourceLocation> {
        private static final String OVERRIDE = "--set";
        private static final String COMMAND_LINE = "";

        /** Returns the location of a {@code --set key=value}. */
        static SourceLocation override() {
            return new SourceLocation(OVERRIDE, 0, 0);
        }

        /** Returns the location of a value on a command line that names no file. */
        static SourceLocation commandLine() {
            return new SourceLocation(COMMAND_LINE, 0, 0);
        }

        static SourceLocation file(String source) {
            return new SourceLocation(source, 0, 0);
        }

        /** Returns a location in the same source. */
        SourceLocation at(int otherLine, int otherColumn) {
            return isOverride() ? this : new SourceLocation(source, otherLine, otherColumn);
        }

        /** Returns whether the value is on the command line. */
        boolean isOverride() {
            return source.equals(OVERRIDE) || source.equals(COMMAND_LINE);
        }

        /** Returns the beginning of a message: {@code file.yaml:3:14: } or {@code --set }; empty without a file. */
        String prefix() {
            if (isOverride()) {
                return source.isEmpty() ? source : source + " ";
            }
            return line == 0 ? source + ": " : source + ":" + line + ":" + column + ": ";
        }

        @Override
        public int compareTo(SourceLocation other) {
            return line != other.line ? Integer.compare(line, other.line) : Integer.compare(column, other.column);
        }
    }
}
