package org.lagbench.report.export;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column of a {@link PacketTable}.
 *
 * @param name ends with the unit if there is one
 * @param unit the unit, or the meaning of the values
 * @param mayBeAbsent whether rows may have no value
 * @param words maps values to words; null if the values are numbers
 */
record PacketColumn(String name, String unit, boolean mayBeAbsent, @Nullable LongFunction<String> words) {
    /** Describes a column of numbers. */
    PacketColumn(String name, String unit, boolean mayBeAbsent) {
        this(name, unit, mayBeAbsent, null);
    }
}
