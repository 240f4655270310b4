package org.lagbench.analysis.tune;

/** What the runs have proven about a candidate: the same in text, tables and figures. */
public enum CandidateVerdict {
    INFEASIBLE("breaks a constraint"),
    /**
     * Another candidate that satisfies the constraints is better by more than the indifference. For today's default:
     * the comparison with the best candidate proves that it is worse, and not that both are within the indifference.
     */
    WORSE("worse"),
    /** The candidate satisfies the constraints and is within the indifference of every remaining candidate. */
    TIED("as good as any"),
    /** None of the other verdicts is proven. */
    UNCLEAR("undecided");

    private final String title;

    CandidateVerdict(String title) {
        this.title = title;
    }

    /** Returns whether the candidate is proven not to be the best. */
    public boolean isOut() {
        return this == INFEASIBLE || this == WORSE;
    }

    /** Returns the title in tables. */
    public String title() {
        return title;
    }
}
