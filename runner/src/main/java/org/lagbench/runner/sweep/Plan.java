package org.lagbench.runner.sweep;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunSpec.RunGroup;

/**
 * Decides which runs a session gets. Its decisions depend on its experiment, the seed and the runs that the session
 * has, and on nothing else: the session is all that a resume needs. Used by one thread.
 */
public interface Plan {
    /** Returns the runs to execute next; none at the end of the plan, or after a failure that ends it. */
    Next next(RunTable soFar) throws LagbenchException;

    /** Returns how much of the plan the session has. */
    Extent extent(RunTable soFar);

    /**
     * The decision of a plan.
     *
     * @param groups what to execute, one after the other
     * @param limit after which a group is interrupted; null for none
     * @param notes sentences about the runs that have ended since the last decision
     */
    record Next(List<RunGroup> groups, @Nullable Duration limit, List<String> notes) {
        public Next {
            groups = List.copyOf(groups);
            notes = List.copyOf(notes);
        }
    }

    /**
     * How much of a plan a session has, in groups of runs.
     *
     * @param complete how many it has
     * @param all how many it will have; null if that depends on their results
     * @param isOver whether none is missing
     * @param command the subcommand that makes the missing ones if the session is resumed
     */
    record Extent(int complete, @Nullable Integer all, boolean isOver, String command) {
        /** Returns what the session keeps, and the beginning of the command that continues it. */
        String sentence() {
            return (all == null
                            ? complete + (complete == 1 ? " run is" : " runs are") + " kept. To continue: lagbench "
                            : complete + " of " + all + " runs are complete and kept. To make the others: lagbench ")
                    + command;
        }
    }
}
