package org.lagbench.core.yaml;

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
