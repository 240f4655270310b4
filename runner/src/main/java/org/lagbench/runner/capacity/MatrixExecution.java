package org.lagbench.runner.capacity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.matrix.PairSharing;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.PairRounds.Pair;
import org.lagbench.core.model.Site;
import org.lagbench.runner.capacity.BottleneckSearch.Candidate;

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
        List<List<Pair>> rounds = session.spec().rounds();
        ExitCode first = ExitCode.OK;
        for (int round = 1; round <= rounds.size() && !shutdown.isInterrupted(); round++) {
            ExitCode outcome = measure(round, rounds);
            first = first == ExitCode.OK ? outcome : first;
        }
        return shutdown.isInterrupted() ? ExitCode.INTERRUPTED : first;
    }

    /**
     * Tests which pairs of the same round share a bottleneck, and measures them again one after the other. Skips rounds
     * that were searched before.
     *
     * @param allMethods whether to test by each method, not only until one is certain
     * @return {@link ExitCode#OK}, the exit code of the first failure, or {@link ExitCode#INTERRUPTED}
     */
    public ExitCode searchBottlenecks(boolean allMethods) throws LagbenchException, InterruptedException {
        List<List<Pair>> rounds = session.spec().rounds();
        ExitCode first = ExitCode.OK;
        for (int round = 1; round <= rounds.size() && !shutdown.isInterrupted(); round++) {
            if (!session.isSearched(round)) {
                ExitCode outcome = search(round, rounds, allMethods);
                first = first == ExitCode.OK ? outcome : first;
            }
        }
        return shutdown.isInterrupted() ? ExitCode.INTERRUPTED : first;
    }

    private ExitCode search(int round, List<List<Pair>> rounds, boolean allMethods)
            throws LagbenchException, InterruptedException {
        List<Candidate> candidates = new ArrayList<>();
        for (Pair pair : rounds.get(round - 1)) {
            PairMetrics figures = MatrixSession.figures(session.pair(site(pair.from()), site(pair.to())));
            if (figures != null) {
                candidates.addAll(BottleneckSearch.candidates(
                        new PairMeasurement(session.spec(), site(pair.from()), site(pair.to())), figures));
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
            for (Pair pair : rounds.get(round - 1)) {
                if (group.contains(name(pair))) {
                    session.setAside(site(pair.from()), site(pair.to()));
                }
            }
        }
        session.keep(round, found);
        return measure(round, rounds);
    }

    private Site site(int number) {
        return session.spec().sites().get(number);
    }

    private String name(Pair pair) {
        return site(pair.from()).name() + "/" + site(pair.to()).name();
    }

    /** Measures the missing pairs of a round at the same time; pairs that share a bottleneck, one after the other. */
    private ExitCode measure(int round, List<List<Pair>> rounds) throws LagbenchException, InterruptedException {
        String title = "round " + round + " of " + rounds.size() + ", ";
        List<List<String>> groups = MatrixResult.groups(session.sharings().stream()
                .filter(test -> test.round() == round)
                .toList());
        Map<List<String>, List<Pair>> turns = new LinkedHashMap<>();
        for (Pair pair : rounds.get(round - 1)) {
            if (!session.isComplete(site(pair.from()), site(pair.to()))) {
                List<String> group = groups.stream()
                        .filter(members -> members.contains(name(pair)))
                        .findFirst()
                        .orElse(List.of(name(pair)));
                turns.computeIfAbsent(group, members -> new ArrayList<>()).add(pair);
            }
        }
        ExitCode first = ExitCode.OK;
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, Math.min(atOnce, turns.size())));
        try {
            List<Future<ExitCode>> outcomes = new ArrayList<>();
            for (List<Pair> turn : turns.values()) {
                outcomes.add(threads.submit(() -> measure(turn, title)));
            }
            for (Future<ExitCode> future : outcomes) {
                ExitCode outcome = result(future);
                first = first == ExitCode.OK ? outcome : first;
            }
        } finally {
            threads.shutdown();
        }
        return first;
    }

    private ExitCode measure(List<Pair> turn, String title) throws LagbenchException {
        ExitCode first = ExitCode.OK;
        for (Pair pair : turn) {
            ExitCode outcome = measure(site(pair.from()), site(pair.to()), title);
            first = first == ExitCode.OK ? outcome : first;
        }
        return first;
    }

    private static ExitCode result(Future<ExitCode> pair) throws LagbenchException, InterruptedException {
        try {
            return pair.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LagbenchException failure) {
                throw failure; // this host cannot keep the results
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private ExitCode measure(Site from, Site to, String title) throws LagbenchException {
        if (shutdown.isInterrupted()) {
            return ExitCode.INTERRUPTED;
        }
        String name = title + from.name() + " → " + to.name() + ": ";
        long startNs = System.nanoTime();
        try {
            measure(from, to);
            session.complete(from, to);
            progress.accept(name + "done in " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + " s");
            return ExitCode.OK;
        } catch (LagbenchException e) {
            if (shutdown.isInterrupted()) {
                return ExitCode.INTERRUPTED;
            }
            session.fail(from, to, e.sentence());
            progress.accept(name + e.sentence());
            return e.exitCode();
        }
    }

    private void measure(Site from, Site to) throws LagbenchException {
        PairMeasurement pair = new PairMeasurement(session.spec(), from, to);
        pair.inSession(session.pair(from, to), shutdown, pair::make);
    }
}
