package org.lagbench.core.failure;

/**
 * Text from outside this program, made fit for a terminal and a log: what a peer or a file says, and names of hosts and
 * interfaces. Control characters could change colors, move the cursor or forge a line.
 */
public final class UntrustedText {
    /** The maximum number of characters of a text in a message or a log line. */
    public static final int MAXIMUM_CHARACTERS = 500;

    private UntrustedText() {}

    /** Returns the text in one printable line of at most {@value #MAXIMUM_CHARACTERS} characters. */
    public static String line(String text) {
        return line(text, MAXIMUM_CHARACTERS);
    }

    /**
     * Returns the text in one printable line of at most this many characters; a truncated one ends with an ellipsis.
     */
    public static String line(String text, int maximumCharacters) {
        // Escaping only lengthens the text, so characters after this number would be cut anyway.
        String considered = text.length() <= maximumCharacters ? text : text.substring(0, maximumCharacters) + "……";
        String escaped = escape(considered);
        if (escaped.length() <= maximumCharacters) {
            return escaped;
        }
        int end = maximumCharacters - 1;
        return escaped.substring(0, Character.isHighSurrogate(escaped.charAt(end - 1)) ? end - 1 : end) + "…";
    }

    /** Returns the text with its line feeds and with all other unprintable characters escaped. */
    public static String lines(String text) {
        return escape(text, true);
    }

    /** Returns the text in one printable line of any length: {@code \u001b} for each unprintable character. */
    public static String escape(String text) {
        return escape(text, false);
    }

    private static String escape(String text, boolean keepsLineFeeds) {
        if (isKept(text, keepsLineFeeds)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(character -> {
            if (isKept(character, keepsLineFeeds)) {
                escaped.appendCodePoint(character);
            } else {
                // two UTF-16 units for a character outside the basic plane, as in JSON
                Character.toString(character).chars().forEach(unit -> escaped.append(String.format("\\u%04x", unit)));
            }
        });
        return escaped.toString();
    }

    /** Returns whether nothing is escaped: a loop without objects, because a table has thousands of texts. */
    private static boolean isKept(String text, boolean keepsLineFeeds) {
        int index = 0;
        while (index < text.length()) {
            int character = text.codePointAt(index);
            if (!isKept(character, keepsLineFeeds)) {
                return false;
            }
            index += Character.charCount(character);
        }
        return true;
    }

    private static boolean isKept(int character, boolean keepsLineFeeds) {
        return character == '\n' ? keepsLineFeeds : isPrintable(character);
    }

    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
