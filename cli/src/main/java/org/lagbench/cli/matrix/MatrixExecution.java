package org.lagbench.cli.matrix;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.lagbench.cli.sweep.Execution;
import org.lagbench.cli.sweep.RemoteRuns;
import org.lagbench.cli.sweep.SessionDirectory;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.matrix.PairRounds;
import org.lagbench.core.matrix.PairRounds.Pair;
import org.lagbench.core.matrix.Site;

/**
 * Measures the pairs of a matrix that its session does not have yet, round after round. In a round no site takes part
 * twice. A pair that fails does not end the others.
 *
 * @param atOnce how many pairs of a round are measured at the same time at most
 * @param progress receives a line for each pair that has ended
 */
public record MatrixExecution(
        MatrixSession session, int atOnce, ShutdownCoordinator shutdown, Consumer<String> progress) {
    /**
     * Measures them.
     *
     * @return {@link ExitCode#OK}, the exit code of the first failure, or {@link ExitCode#INTERRUPTED}
     */
    public ExitCode run() throws LagbenchException, InterruptedException {
        List<Site> sites = session.spec().sites();
        List<List<Pair>> rounds = PairRounds.ofBothDirections(sites.size());
        ExitCode first = ExitCode.OK;
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, Math.min(atOnce, sites.size() / 2)));
        try {
            for (int round = 0; round < rounds.size() && !shutdown.isInterrupted(); round++) {
                List<Future<ExitCode>> pairs = new ArrayList<>();
                String title = "round " + (round + 1) + " of " + rounds.size() + ", ";
                for (Pair pair : rounds.get(round)) {
                    Site from = sites.get(pair.from());
                    Site to = sites.get(pair.to());
                    if (!session.isComplete(from, to)) {
                        pairs.add(threads.submit(() -> measure(from, to, title)));
                    }
                }
                for (Future<ExitCode> pair : pairs) {
                    ExitCode outcome = result(pair);
                    first = first == ExitCode.OK ? outcome : first;
                }
            }
        } finally {
            threads.shutdown();
        }
        return shutdown.isInterrupted() ? ExitCode.INTERRUPTED : first;
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
        SharedKey key = SharedKey.find(from.keyFile());
        PairMeasurement pair = new PairMeasurement(session.spec(), from, to);
        Experiment lag = pair.lag();
        Path directory = session.pair(from, to);
        try (Execution execution = new Execution(
                lag,
                SessionDirectory.isSession(directory)
                        ? SessionDirectory.open(directory)
                        : SessionDirectory.createIn(directory, lag),
                Duration.ZERO,
                true,
                false,
                Map.of(),
                shutdown)) {
            pair.make(new RemoteRuns(execution, from.agent(), key));
            execution.session().deleteEmptyLogs();
        }
    }
}
