package org.lagbench.core.experiment;

/**
 * Where something was written.
 *
 * @param source the file as the user named it, or {@code --set}
 * @param line from 1; 0 if the whole source is meant
 * @param column from 1
 */
record SourceLocation(String source, int line, int column) implements Comparable<SourceLocation> {
    private static final String OVERRIDE = "--set";

    /** In the value of a {@code --set key=value}. */
    static SourceLocation override() {
        return new SourceLocation(OVERRIDE, 0, 0);
    }

    /** Somewhere in a file, no matter where. */
    static SourceLocation file(String source) {
        return new SourceLocation(source, 0, 0);
    }

    /** A place in the same source. */
    SourceLocation at(int itsLine, int itsColumn) {
        return isOverride() ? this : new SourceLocation(source, itsLine, itsColumn);
    }

    boolean isOverride() {
        return source.equals(OVERRIDE);
    }

    /** How a message begins: {@code file.yaml:3:14: } or {@code --set }. */
    String prefix() {
        if (isOverride()) {
            return OVERRIDE + " ";
        }
        return line == 0 ? source + ": " : source + ":" + line + ":" + column + ": ";
    }

    @Override
    public int compareTo(SourceLocation other) {
        return line != other.line ? Integer.compare(line, other.line) : Integer.compare(column, other.column);
    }
}
