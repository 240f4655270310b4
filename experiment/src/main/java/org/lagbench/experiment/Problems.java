package org.lagbench.experiment;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** The problems of an experiment file, collected so that one message reports them all. */
final class Problems {
    /** A hint for a value such as 24,992. */
    static final String LIST_HINT = "a list is written [a, b].";

    private static final int MAX_SHOWN = 20;
    private static final int MAX_KEPT = 1_000;

    private final List<Problem> problems = new ArrayList<>();
    private long count;

    /** Adds a problem at a location in an experiment file. */
    void add(YamlNode.SourceLocation place, String sentence) {
        add(place, () -> sentence);
    }

    /** Adds a problem as the other {@code add} does, but calls the supplier only if the problem will be kept. */
    void add(YamlNode.SourceLocation place, Supplier<String> sentence) {
        count++;
        if (problems.size() < MAX_KEPT) {
            problems.add(new Problem(place, sentence.get()));
        }
    }

    /** Adds that a key does not accept the value found. */
    void refuse(String key, YamlNode found, String accepted) {
        boolean seemsList = found instanceof YamlNode.Scalar scalar
                && scalar.text() != null
                && scalar.text().contains(",")
                && accepted.contains("a list");
        add(
                found.place(),
                key + ": " + found.found() + " is not accepted; it takes " + accepted
                        + (seemsList ? "; " + LIST_HINT : "."));
    }

    boolean areNone() {
        return count == 0;
    }

    /**
     * Throws an exception if there is any problem.
     *
     * @throws LagbenchException the {@link #failure}
     */
    void throwIfAny() throws LagbenchException {
        if (count > 0) {
            throw failure();
        }
    }

    /** Returns an exception with one line for each problem, in the order of the file. */
    LagbenchException failure() {
        String lines = problems.stream()
                .sorted(Comparator.comparing(Problem::place))
                .limit(MAX_SHOWN)
                .map(problem -> problem.place().prefix() + problem.sentence())
                .collect(Collectors.joining("\n"));
        return ExitCode.USAGE.failure(
                count > MAX_SHOWN ? lines + "\n… and " + (count - MAX_SHOWN) + " more mistakes." : lines);
    }

    private record Problem(YamlNode.SourceLocation place, String sentence) {}
}
