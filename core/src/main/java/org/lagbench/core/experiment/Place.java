package org.lagbench.core.experiment;

/**
 * Where something was written.
 *
 * @param source the file as the user named it, or {@code --set}
 * @param line from 1; 0 if the whole source is meant
 * @param column from 1
 */
record Place(String source, int line, int column) implements Comparable<Place> {
    private static final String OVERRIDE = "--set";

    /** In the value of a {@code --set key=value}. */
    static Place override() {
        return new Place(OVERRIDE, 0, 0);
    }

    /** Somewhere in a file, no matter where. */
    static Place file(String source) {
        return new Place(source, 0, 0);
    }

    /** A place in the same source. */
    Place at(int itsLine, int itsColumn) {
        return isOverride() ? this : new Place(source, itsLine, itsColumn);
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
    public int compareTo(Place other) {
        return line != other.line ? Integer.compare(line, other.line) : Integer.compare(column, other.column);
    }
}
