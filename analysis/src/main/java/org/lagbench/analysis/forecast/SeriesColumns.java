package org.lagbench.analysis.forecast;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The columns of a file that a series is read from. A column is given by its name or its number, from 1.
 *
 * @param values the column of values; by default "value", else the only one besides the times
 * @param times the column of times; by default "at", else none
 */
public record SeriesColumns(@Nullable String values, @Nullable String times) {
    public static final SeriesColumns DEFAULT = new SeriesColumns(null, null);

    private static final String VALUE = "value";
    private static final String AT = "at";

    static final int NONE = -1;
    private static final int MAXIMUM_SHOWN = 30;

    /** The columns of a file by their indices. */
    record Found(int value, int time) {}

    /**
     * Finds the columns.
     *
     * @param file the file, for messages
     * @param names the names of its columns, "" for those without
     */
    Found find(String file, List<String> names) throws LagbenchException {
        int time = times == null ? names.indexOf(AT) : index(file, times, names);
        if (values != null) {
            return new Found(index(file, values, names), time);
        }
        int value = names.indexOf(VALUE);
        if (value < 0 && names.size() - (time == NONE ? 0 : 1) == 1) {
            value = time == 0 ? 1 : 0;
        }
        if (value < 0) {
            throw ExitCode.USAGE.failure(
                    file + " has " + names.size() + " columns (" + text(names) + "); choose one with --column.");
        }
        return new Found(value, time);
    }

    private static int index(String file, String column, List<String> names) throws LagbenchException {
        int index = names.indexOf(column);
        if (index < 0 && column.matches("[1-9][0-9]{0,5}") && Integer.parseInt(column) <= names.size()) {
            index = Integer.parseInt(column) - 1;
        }
        if (index < 0) {
            throw ExitCode.USAGE.failure(file + " has no column \"" + column + "\"; it has " + text(names) + ".");
        }
        return index;
    }

    private static String text(List<String> names) {
        return String.join(
                        ", ",
                        IntStream.range(0, Math.min(MAXIMUM_SHOWN, names.size()))
                                .mapToObj(i ->
                                        names.get(i).isEmpty() ? String.format(Locale.ROOT, "%d", i + 1) : names.get(i))
                                .toList())
                + (names.size() > MAXIMUM_SHOWN ? ", …" : "");
    }
}
