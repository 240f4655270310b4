package org.lagbench.report.page;

/**
 * How fine the curves in a page are: so that the curves of all runs together are no more than about {@value #POINTS}
 * points, and the file stays below 8 MB besides its tables, however many packets there are.
 *
 * @param columns of how many stretches of a curve the extremes are kept
 */
record CurveResolution(int columns) {
    /** Of all curves of all runs. */
    private static final int POINTS = 400_000;

    private static final int POINTS_A_COLUMN = 4;
    private static final int MOST_COLUMNS = 2_000;

    /** As many as a narrow screen has pixels, however many runs there are: one can still be looked at. */
    private static final int FEWEST_COLUMNS = 60;

    static CurveResolution of(int runs) {
        int columns = POINTS / POINTS_A_COLUMN / RunData.CURVES / Math.max(1, runs);
        return new CurveResolution(Math.max(FEWEST_COLUMNS, Math.min(MOST_COLUMNS, columns)));
    }
}
