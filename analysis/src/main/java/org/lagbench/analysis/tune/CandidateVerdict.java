package org.lagbench.analysis.tune;

/** What the runs say of a candidate. */
public enum CandidateVerdict {
    /** It is proven to break a constraint. */
    INFEASIBLE("breaks a constraint"),
    /** Another one, which keeps to the constraints, is proven to be better by more than the indifference. */
    WORSE("worse"),
    /** It keeps to the constraints and is proven to be within the indifference of every other that is still in. */
    TIED("as good as any"),
    /** None of these is proven. */
    UNCLEAR("not told apart");

    private final String title;

    CandidateVerdict(String title) {
        this.title = title;
    }

    /** As in tables. */
    public String title() {
        return title;
    }
}
