package org.lagbench.core.experiment;

/**
 * A location in an experiment file.
 *
 * @param source the file as the user named it, or {@code --set}
 * @param line from 1; 0 for the whole source
 * @param column from 1
 */
record SourceLocation(String source, int line, int column) implements Comparable<SourceLocation> {
    private static final String OVERRIDE = "--set";

    /** Returns the location of a {@code --set key=value}. */
    static SourceLocation override() {
        return new SourceLocation(OVERRIDE, 0, 0);
    }

    /** Returns the location of a whole file. */
    static SourceLocation file(String source) {
        return new SourceLocation(source, 0, 0);
    }

    /** Returns a location in the same source. */
    SourceLocation at(int otherLine, int otherColumn) {
        return isOverride() ? this : new SourceLocation(source, otherLine, otherColumn);
    }

    boolean isOverride() {
        return source.equals(OVERRIDE);
    }

    /** Returns the beginning of a message: {@code file.yaml:3:14: } or {@code --set }. */
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
