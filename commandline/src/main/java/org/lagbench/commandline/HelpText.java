package org.lagbench.commandline;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Breaks the lines of a text at spaces, and aligns what follows below the description. Picocli breaks lines inside of
 * options and file names.
 */
public final class HelpText {
    /** More columns than the longest description has. */
    private static final int UNLIMITED = 4_000;

    private static final Pattern STYLE = Pattern.compile("\u001B\\[[0-9;]*m");

    /** What precedes a description: an option and two spaces, or only spaces. */
    private static final Pattern BEFORE_DESCRIPTION = Pattern.compile("^(?: {12,}| {0,11}\\S+(?: \\S+)* {2,}| *)");

    /** The largest share of a line that precedes a description. */
    private static final double MAX_INDENT = 0.6;

    /** What separates a command from its comment. */
    private static final Pattern COMMENT = Pattern.compile("(?<=\\S) {3,}");

    private static final String EXAMPLE_INDENT = "      ";
    private static final String CONTINUED = " \\";

    private HelpText() {}

    /**
     * Breaks the help of a command and its subcommands.
     *
     * @param columns the number of columns at the time of the help
     */
    public static void addTo(CommandLine command, IntSupplier columns) {
        Map<String, IHelpSectionRenderer> sections = new HashMap<>(command.getHelpSectionMap());
        sections.replaceAll((key, section) -> help -> {
            String text = section.render(help);
            return switch (key) {
                case UsageMessageSpec.SECTION_KEY_SYNOPSIS ->
                    wrapSynopsis(text, help.synopsisHeadingLength(), columns.getAsInt());
                case UsageMessageSpec.SECTION_KEY_FOOTER -> wrapExamples(text, columns.getAsInt());
                default -> wrap(text, columns.getAsInt());
            };
        });
        command.setHelpSectionMap(sections);
        command.setUsageHelpWidth(UNLIMITED);
    }

    /** Returns a text without lines of more columns, except where a word is longer. */
    public static String wrap(String text, int columns) {
        int column = descriptionColumn(text);
        return text.lines()
                .map(line -> wrap(line, 0, indent(line, column, columns), columns))
                .collect(Collectors.joining(System.lineSeparator(), "", end(text)));
    }

    /** Returns where most descriptions begin. An option that is as long as that has only one space after it. */
    private static int descriptionColumn(String text) {
        return text
                .lines()
                .map(HelpText::visible)
                .filter(line -> line.startsWith(" "))
                .map(BEFORE_DESCRIPTION::matcher)
                .filter(Matcher::find)
                .collect(Collectors.groupingBy(Matcher::end, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(0);
    }

    /**
     * Returns a synopsis whose further lines begin below its first option.
     *
     * @param heading the columns that precede the first line
     */
    public static String wrapSynopsis(String synopsis, int heading, int columns) {
        int name = Math.max(
                0,
                visible(synopsis)
                        .replaceFirst(" [\\[A-Z(].*", "")
                        .stripTrailing()
                        .length());
        int indent = Math.min(heading + name + 1, columns / 2);
        return synopsis.lines()
                .map(line -> wrap(line, heading, indent, columns))
                .collect(Collectors.joining(System.lineSeparator(), "", end(synopsis)));
    }

    /** Returns examples, each of which can still be copied into a shell; a comment may be on the line below. */
    public static String wrapExamples(String examples, int columns) {
        return examples.lines()
                .map(line -> visible(line).length() <= columns
                        ? line
                        : COMMENT.matcher(line).replaceFirst("\n" + EXAMPLE_INDENT))
                .flatMap(line -> Stream.of(line.split("\n", -1)))
                .map(line -> continued(line, columns))
                .collect(Collectors.joining(System.lineSeparator(), "", end(examples)));
    }

    private static String continued(String line, int columns) {
        int last = columns - CONTINUED.length();
        int option = line.lastIndexOf(" --", last);
        int space = option > EXAMPLE_INDENT.length() ? option : line.lastIndexOf(' ', last);
        return visible(line).length() <= columns || line.isBlank() || space <= EXAMPLE_INDENT.length()
                ? line
                : line.substring(0, space)
                        + CONTINUED
                        + System.lineSeparator()
                        + continued(EXAMPLE_INDENT + line.substring(space + 1), columns);
    }

    private static String end(String text) {
        return text.endsWith("\n") ? System.lineSeparator() : "";
    }

    private static String visible(String text) {
        return STYLE.matcher(text).replaceAll("");
    }

    private static int indent(String line, int column, int columns) {
        String seen = visible(line);
        if (seen.startsWith(" ") && seen.length() > column && column > 0 && seen.charAt(column - 1) == ' ') {
            return column;
        }
        Matcher before = BEFORE_DESCRIPTION.matcher(seen);
        int indent = before.find() ? before.end() : 0;
        return indent <= columns * MAX_INDENT
                ? indent
                : seen.length() - seen.stripLeading().length() + 2;
    }

    /** Returns a line whose further lines begin at column {@code indent}. */
    public static String wrapLine(String line, int indent, int columns) {
        return wrap(line, 0, indent, columns);
    }

    private static String wrap(String line, int offset, int indent, int columns) {
        if (offset + visible(line).length() <= columns) {
            return line;
        }
        StringBuilder wrapped = new StringBuilder();
        int column = offset;
        for (String word : line.split("(?<=\\S)(?= )", -1)) {
            String next = word;
            int width = visible(word).length();
            if (column + width > columns && column > indent) {
                next = word.stripLeading();
                wrapped.append(System.lineSeparator()).append(" ".repeat(indent));
                column = indent;
                width = visible(next).length();
            }
            wrapped.append(next);
            column += width;
        }
        return wrapped.toString();
    }
}
