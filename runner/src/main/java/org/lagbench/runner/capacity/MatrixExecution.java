package org.lagbench.runner.capacity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.MatrixResult.PairSharing;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.experiment.MatrixSpec.Pair;
import org.lagbench.runner.capacity.BottleneckSearch.Candidate;
import org.lagbench.runner.sweep.Progress;

/**
 * Measures the pairs that are missing in the session of a matrix, round after round. No site is in two pairs of the
 * same round. If a pair fails, the others are still measured.
 *
 * @param atOnce the maximum number of pairs measured at the same time
 * @param progress receives a line at the end of each pair
 */
public record MatrixExecution(
        MatrixSession session, int atOnce, ShutdownCoordinator shutdown, Consumer<String> progress) {
    /**
     * Measures the missing pairs.
     *
     * @return {@link ExitCode#OK}, the exit code of the first failure, or {@link ExitCode#INTERRUPTED}
     */
    public ExitCode run() throws LagbenchException, InterruptedException {
        return eachRound(this::measure);
    }

    /** A task in a round, with its number from 1 and its pairs. */
    private interface Task {
        ExitCode run(int round, List<Pair> pairs) throws LagbenchException, InterruptedException;
    }

    private ExitCode eachRound(Task task) throws LagbenchException, InterruptedException {
        List<List<Pair>> rounds = session.spec().rounds();
        List<ExitCode> outcomes = new ArrayList<>();
        for (int round = 1; round <= rounds.size() && !shutdown.isInterrupted(); round++) {
            outcomes.add(task.run(round, rounds.get(round - 1)));
        }
        return shutdown.isInterrupted() ? ExitCode.INTERRUPTED : firstFailure(outcomes);
    }

    private static ExitCode firstFailure(List<ExitCode> outcomes) {
        return outcomes.stream()
                .filter(outcome -> outcome != ExitCode.OK)
                .findFirst()
                .orElse(ExitCode.OK);
    }

    /**
     * Tests which pairs of the same round share a bottleneck, and measures them again one at a time. Skips rounds that
     * were searched before.
     *
     * @param allMethods whether to test by each method, not only until one is certain
     * @return {@link ExitCode#OK}, the exit code of the first failure, or {@link ExitCode#INTERRUPTED}
     */
    public ExitCode searchBottlenecks(boolean allMethods) throws LagbenchException, InterruptedException {
        return eachRound((round, pairs) -> session.isSearched(round) ? ExitCode.OK : search(round, pairs, allMethods));
    }

    private ExitCode search(int round, List<Pair> pairs, boolean allMethods)
            throws LagbenchException, InterruptedException {
        List<Candidate> candidates = new ArrayList<>();
        for (Pair pair : pairs) {
            PairMetrics metrics = session.result(pair, Set.of()).metrics();
            if (metrics != null) {
                candidates.addAll(BottleneckSearch.candidates(session.measurement(pair), metrics));
            }
        }
        if (candidates.size() < 2) {
            return ExitCode.OK;
        }
        session.deleteSearch(round);
        String title = "bottlenecks of round " + round + ": ";
        List<PairSharing> found;
        try {
            found = new BottleneckSearch(
                            session.searchOf(round),
                            allMethods,
                            shutdown,
                            line -> progress.accept(title + line),
                            new AtomicInteger())
                    .search(round, candidates);
        } catch (LagbenchException e) {
            if (shutdown.isInterrupted()) {
                return ExitCode.INTERRUPTED;
            }
            progress.accept(title + e.sentence());
            return e.exitCode();
        }
        for (List<String> group : MatrixResult.groups(found)) {
            for (Pair pair : pairs) {
                if (group.contains(session.measurement(pair).name())) {
                    session.setAside(pair);
                }
            }
        }
        session.keep(round, found);
        return measure(round, pairs);
    }

    /** Measures what is missing of the pairs of a round, at the same time; pairs that share a bottleneck, in turn. */
    private ExitCode measure(int round, List<Pair> pairs) throws LagbenchException, InterruptedException {
        String title = "round " + round + " of " + session.spec().rounds().size() + ", ";
        List<List<String>> groups = MatrixResult.groups(session.sharings().stream()
                .filter(test -> test.round() == round)
                .toList());
        Map<List<String>, List<PairMeasurement>> turns = new LinkedHashMap<>();
        for (Pair pair : pairs) {
            PairMeasurement measurement = session.measurement(pair);
            List<String> group = groups.stream()
                    .filter(members -> members.contains(measurement.name()))
                    .findFirst()
                    .orElse(List.of(measurement.name()));
            turns.computeIfAbsent(group, members -> new ArrayList<>()).add(measurement);
        }
        List<Callable<ExitCode>> tasks = new ArrayList<>();
        for (List<PairMeasurement> turn : turns.values()) {
            tasks.add(() -> {
                List<ExitCode> outcomes = new ArrayList<>();
                for (PairMeasurement pair : turn) {
                    outcomes.add(measure(pair, title));
                }
                return firstFailure(outcomes);
            });
        }
        return firstFailure(concurrently(atOnce, tasks));
    }

    /**
     * Runs tasks, at most that many at the same time, and returns their results in order.
     *
     * @throws LagbenchException the failure of one of the tasks, which have all ended
     */
    static <T> List<T> concurrently(int atOnce, List<Callable<T>> tasks)
            throws LagbenchException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, Math.min(atOnce, tasks.size())));
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> task : threads.invokeAll(tasks)) {
                results.add(task.get());
            }
            return results;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LagbenchException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdown();
        }
    }

    /** Measures what is missing of a pair. */
    private ExitCode measure(PairMeasurement pair, String title) throws InterruptedException {
        if (shutdown.isInterrupted()) {
            return ExitCode.INTERRUPTED;
        }
        String name = title + pair.from().name() + " → " + pair.to().name() + ": ";
        try {
            return pair.execute(
                    session.directory(pair),
                    shutdown,
                    (missing, remaining) ->
                            new PairProgress(line -> progress.accept(name + line), missing > 0, System.nanoTime()));
        } catch (LagbenchException e) {
            progress.accept(name + e.sentence());
            return e.exitCode();
        }
    }

    /**
     * Shows the errors and the end of runs in one of the sessions of a matrix.
     *
     * @param showsEnd whether a line says how long complete runs took
     */
    record PairProgress(Consumer<String> output, boolean showsEnd, long startNs) implements Progress {
        @Override
        public void note(String sentence) {}

        @Override
        public void error(String sentence) {
            output.accept(sentence);
        }

        /** Does nothing: the command says how to measure all that is missing. */
        @Override
        public void unfinished(String sentence) {}

        @Override
        public void finished(ExitCode exitCode, int complete, int all) {
            if (showsEnd && exitCode == ExitCode.OK) {
                output.accept("done in " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + " s");
            }
        }
    }
}
