package org.lagbench.report.export;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column of a {@link PacketTable}.
 *
 * @param name its name, with the unit in it where there is one
 * @param unit the unit, or what the numbers or words mean
 * @param mayBeAbsent whether a row may have no value in it
 * @param words what a value stands for; null if the values are numbers
 */
record PacketColumn(String name, String unit, boolean mayBeAbsent, @Nullable LongFunction<String> words) {
    /** A column of numbers. */
    PacketColumn(String name, String unit, boolean mayBeAbsent) {
        this(name, unit, mayBeAbsent, null);
    }
}
