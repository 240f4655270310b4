package org.lagbench.core.series;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;

/** The values that a series can have. An interval of a forecast ends there. */
public enum Domain {
    /** Any number. */
    ANY("any", Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
    /** A number of at least 0, such as a duration by one clock, or a rate. */
    NOT_NEGATIVE("not-negative", 0, Double.POSITIVE_INFINITY),
    /** A share in percent, from 0 to 100. */
    PERCENT("percent", 0, 100);

    private final String text;
    private final double min;
    private final double max;

    Domain(String text, double min, double max) {
        this.text = text;
        this.min = min;
        this.max = max;
    }

    /** Returns the name in files and on the command line. */
    @JsonValue
    public String text() {
        return text;
    }

    @JsonCreator
    static Domain ofText(String text) {
        return Arrays.stream(values())
                .filter(domain -> domain.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + text + "\" is not a domain"));
    }

    /** Returns the smallest value, maybe −∞. */
    public double min() {
        return min;
    }

    /** Returns the largest value, maybe ∞. */
    public double max() {
        return max;
    }

    /** Returns the value of the domain that is nearest to a number; NaN for NaN. */
    public double nearest(double number) {
        return Math.max(min, Math.min(max, number));
    }
}
