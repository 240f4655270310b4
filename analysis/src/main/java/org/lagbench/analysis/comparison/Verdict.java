package org.lagbench.analysis.comparison;

import org.lagbench.core.model.TextEnum;

/** What a comparison shows. */
public enum Verdict implements TextEnum {
    /** The interval of the ratio is on the better side of 1; without a ratio, that of the difference is of 0. */
    BETTER,
    /** The interval is on the worse side. */
    WORSE,
    /** Two one-sided tests show that the ratio is within the margin. Takes precedence over better and worse. */
    EQUIVALENT,
    /** None of the other verdicts is proven. */
    UNDECIDED;

    /** Why a comparison or a requirement is undecided, although its interval is not too wide. */
    public enum Doubt {
        /** There are too few repeats for an interval. */
        REPEATS("few repeats"),
        /** The repeats depend on each other, so that they show less than independent ones. */
        DEPENDENCE("dependent repeats"),
        /** The bound of the clocks is too wide for the difference. */
        CLOCK("clock"),
        /** The side that looks better, or as good, lost more packets. */
        LOSS("loss"),
        /** A value is missing, or not above 0. */
        VALUE("no ratio"),
        /** The machine spoiled runs, and those that are left decide nothing. */
        SPOILED("load"),
        /** A part of what was planned was not measured. */
        INCOMPLETE("missing data"),
        /** A repeat has no value, or there is nothing to judge. */
        MISSING("no value");

        private final String text;

        Doubt(String text) {
            this.text = text;
        }

        /** Returns the name in tables and files. */
        public String text() {
            return text;
        }
    }
}
