package org.lagbench.report.export;

import java.util.Map;

/**
 * A column of a {@link PacketTable}.
 *
 * @param name its name, with the unit in it where there is one
 * @param unit the unit, or what the numbers or words mean
 * @param mayBeAbsent whether a row may have no value in it
 * @param words what each value stands for; none if the values are numbers
 */
record PacketColumn(String name, String unit, boolean mayBeAbsent, Map<Long, String> words) {
    /** A column of numbers. */
    PacketColumn(String name, String unit, boolean mayBeAbsent) {
        this(name, unit, mayBeAbsent, Map.of());
    }

    /** Whether its values stand for words. */
    boolean isOfWords() {
        return !words.isEmpty();
    }

    /** What a value stands for. */
    String word(long value) {
        return words.getOrDefault(value, "");
    }
}
