package org.lagbench.analysis.tune;

/** What the runs prove of a candidate. */
public enum CandidateVerdict {
    /** It breaks a constraint. */
    INFEASIBLE("breaks a constraint"),
    /** Another candidate that satisfies the constraints is better by more than the indifference. */
    WORSE("worse"),
    /** It satisfies the constraints and is within the indifference of every remaining candidate. */
    TIED("as good as any"),
    /** None of these is proven. */
    UNCLEAR("undecided");

    private final String title;

    CandidateVerdict(String title) {
        this.title = title;
    }

    /** Returns the title in tables. */
    public String title() {
        return title;
    }
}
