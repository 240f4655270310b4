package org.lagbench.analysis.forecast;

/**
 * How much of each series one kind of interval covers.
 *
 * @param first the intervals of the first series
 * @param second the intervals of the second series
 * @param required the share of the other series' values that the intervals of each must cover
 */
public record Coverage(Shares first, Shares second, double required) {
    /** Returns whether the intervals of each series cover enough of the other's values: equally predictable. */
    public boolean isEquivalent() {
        return first.other() >= required && second.other() >= required;
    }

    /**
     * The shares of values inside the intervals of one series.
     *
     * @param own share of the series' own values
     * @param other share of the other series' values, each in the interval of the value with which it is a pair
     */
    public record Shares(double own, double other) {
        static Shares of(ForecastTrace trace, ForecastTrace.Kind kind, int[] places, double[] others) {
            long own = 0;
            long owned = 0;
            for (int i = 0; i < trace.series().size(); i++) {
                double value = trace.series().values()[i];
                if (!Double.isNaN(value) && trace.hasInterval(kind, i)) {
                    owned++;
                    own += trace.captures(kind, i, value) ? 1 : 0;
                }
            }
            long other = 0;
            long paired = 0;
            for (int i = 0; i < places.length; i++) {
                if (trace.hasInterval(kind, places[i])) {
                    paired++;
                    other += trace.captures(kind, places[i], others[i]) ? 1 : 0;
                }
            }
            return new Shares(share(own, owned), share(other, paired));
        }

        private static double share(long part, long all) {
            return all == 0 ? Double.NaN : (double) part / (double) all;
        }
    }
}
