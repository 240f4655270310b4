package org.lagbench.core.run;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.model.TextEnum;

/**
 * How the repeats of a point become the value of a metric that is judged. Each metric declares it, without a default.
 *
 * @param kind the kind
 * @param amount of a pooled metric, the paths whose sum is the amount in each run: wholes for {@link Kind#POOLED},
 *     parts for {@link Kind#POOLED_PARTS}; none for other kinds. A path that begins with "-" is subtracted
 */
public record Combination(Kind kind, List<String> amount) {
    /** The kinds of combinations. */
    public enum Kind implements TextEnum {
        /** The sum of the parts by the sum of the wholes. The value of a run is its part by its whole. */
        POOLED("pooled of ", "all repeats together"),
        /** The same, if the part of a run is known instead of the whole. */
        POOLED_PARTS("pooled from ", "all repeats together"),
        /** The sum over the runs, such as of a count. */
        SUM("sum", "sum of the repeats"),
        /** The smallest value of a run. */
        MIN("min", "min of the repeats"),
        /** The largest value of a run. */
        MAX("max", "max of the repeats"),
        /** The median over the repeats, which are independent values. */
        MEDIAN("median", "median of the repeats"),
        /** An end of an interval, a confidence, or what a run was asked for. */
        NOT_JUDGED("not judged", "not judged");

        private final String declared;
        private final String title;

        Kind(String declared, String title) {
            this.declared = declared;
            this.title = title;
        }

        /** Returns what the value is, as a part of a sentence: "sum of the repeats". */
        public String title() {
            return title;
        }

        /** Returns whether the value is a quotient of sums over all runs. */
        public boolean isPooled() {
            return this == POOLED || this == POOLED_PARTS;
        }

        /** Returns whether the value is about the measured runs alone, and is known exactly: a sum, a min or a max. */
        public boolean isOfRunsAlone() {
            return this == SUM || this == MIN || this == MAX;
        }

        /**
         * Returns whether further runs cannot undo that a limit is exceeded. Sums are of values that are not negative.
         */
        public boolean isFinal(boolean isUpper) {
            return isUpper ? this == SUM || this == MAX : this == MIN;
        }
    }

    private static final Pattern TERM = Pattern.compile("([+-]?) ?([\\w.]+)");

    public Combination {
        amount = List.copyOf(amount);
    }

    /**
     * Returns the combination that a column of {@code metrics.txt} declares.
     *
     * @throws IllegalArgumentException if it declares none
     */
    static Combination parse(String column) {
        for (Kind kind : Kind.values()) {
            if (kind.isPooled() ? column.startsWith(kind.declared) : column.equals(kind.declared)) {
                String amount = column.substring(kind.declared.length());
                Matcher terms = TERM.matcher(amount);
                return new Combination(
                        kind,
                        terms.results()
                                .map(term -> (term.group(1).equals("-") ? "-" : "") + term.group(2))
                                .toList());
            }
        }
        throw new IllegalArgumentException("\"" + column + "\" does not say how repeats combine");
    }
}
