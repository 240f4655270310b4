package org.lagbench.analysis.forecast;

/**
 * How much of each series one kind of interval captures.
 *
 * @param first the intervals of the first series
 * @param second the intervals of the second series
 * @param required the share of the other series' values that the intervals of each must capture
 */
public record Capture(CapturedShares first, CapturedShares second, double required) {
    /** Returns whether the intervals of each series capture enough of the other's values: equally predictable. */
    public boolean isEquivalent() {
        return first.other() >= required && second.other() >= required;
    }
}
