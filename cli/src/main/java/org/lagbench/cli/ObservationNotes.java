package org.lagbench.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.core.run.ObservedSource;

/** Says why runs recorded no causes, to a user who asked for {@code observe: auto}: by default that is no news. */
final class ObservationNotes {
    private ObservationNotes() {}

    /** Returns whether values of the form {@code key=value} name what is observed. */
    static boolean isObserveSet(List<String> values) {
        return values.stream().anyMatch(value -> value.startsWith(ObservedSource.KEY + "="));
    }

    /** Prints each reason for which runs of a session decided to observe nothing, once. */
    static void print(Session session, PrintWriter err) {
        session.runs().stream()
                .map(RunDirectory::record)
                .filter(Objects::nonNull)
                .flatMap(run -> Stream.ofNullable(run.decision()))
                .flatMap(decision -> Stream.ofNullable(decision.observedReason()))
                .distinct()
                .forEach(reason -> err.println("observe: auto recorded no causes: " + reason));
    }
}
