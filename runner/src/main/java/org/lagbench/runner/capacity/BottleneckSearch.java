package org.lagbench.runner.capacity;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.lagbench.analysis.capacity.JointRate;
import org.lagbench.analysis.capacity.PacketTrain;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.matrix.DelayCorrelation;
import org.lagbench.analysis.matrix.MatrixResult.PairSharing;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.matrix.RateSharing;
import org.lagbench.analysis.matrix.RateSharing.Repeat;
import org.lagbench.analysis.matrix.Sharing;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.RunRecord;
import org.lagbench.experiment.Experiment;
import org.lagbench.runner.sweep.Progress;

/**
 * Finds pairs of one round that share a bottleneck. First all pairs send paced packets at the same time, and their
 * delays are compared. If the delays allow no verdict, TCP transfers alone and at the same time are compared.
 *
 * @param directory parent of the session directories of the pairs
 * @param allMethods whether to compare rates even if the delays allow a verdict
 * @param progress receives a line for each test
 * @param tests the number of tests so far; the runs of a test have this number
 */
record BottleneckSearch(
        Path directory,
        boolean allMethods,
        ShutdownCoordinator shutdown,
        Consumer<String> progress,
        AtomicInteger tests) {
    /**
     * The maximum number of repeats; the test ends after two if they allow a verdict, as on most paths without other
     * traffic.
     */
    private static final int REPEATS = 3;

    private static final double TRANSFER_S = 6;
    private static final long MIN_BYTES = 1 << 18;

    /** A pair of a round, with its TCP rate in the matrix in bit/s. */
    record Candidate(PairMeasurement pair, double bitsPerS) {
        /**
         * Returns the experiment with a transfer of about {@link #TRANSFER_S} seconds.
         *
         * @param alone the rates that the search has measured, in bit/s; NaN if unknown
         */
        Experiment transfer(List<Double> alone) throws LagbenchException {
            double rate = alone.stream()
                    .filter(one -> one > 0)
                    .mapToDouble(Double::doubleValue)
                    .average()
                    .orElse(bitsPerS);
            return pair.transfer(Math.max(MIN_BYTES, Math.round(rate / 8 * TRANSFER_S)));
        }
    }

    /** Returns the pair in a list, which is empty if the pair had no TCP transfer. */
    static List<Candidate> candidates(PairMeasurement pair, PairMetrics metrics) {
        Probe last = metrics.lastProbe();
        if (last == null) {
            return List.of();
        }
        double rate = metrics.path()
                .map(path -> path.rate().value())
                .orElse(last.verdict().bitsPerS());
        return List.of(new Candidate(pair, rate > 0 ? rate : 8e9 * (double) last.bytes() / last.elapsedNs()));
    }

    /** Tests all combinations of two pairs of a round. The first certain verdict on two pairs is the valid one. */
    List<PairSharing> search(int round, List<Candidate> pairs) throws LagbenchException, InterruptedException {
        List<PacketTrain> streams =
                CheckedFunction.each(together(pairs, candidate -> candidate.pair().stream()), run -> {
                    RunRecord record = Objects.requireNonNull(run.record(), run.name());
                    return PacketTrain.read(
                            run.path(), record.point().packetBytes(), PacketTrain.ipHeaderBytes(record));
                });
        List<PairSharing> found = new ArrayList<>();
        List<PairSharing> open = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            for (int j = i + 1; j < pairs.size(); j++) {
                String first = pairs.get(i).pair().name();
                String second = pairs.get(j).pair().name();
                DelayCorrelation test = DelayCorrelation.of(streams.get(i), streams.get(j));
                PairSharing sharing =
                        new PairSharing(round, first, second, test.sharing(), test.probability(), "delays");
                if (allMethods || test.sharing() != Sharing.UNCERTAIN) {
                    found.add(sharing);
                }
                if (allMethods || test.sharing() == Sharing.UNCERTAIN) {
                    open.add(sharing);
                }
            }
        }
        if (!open.isEmpty()) {
            found.addAll(byRates(open, pairs));
        }
        found.forEach(sharing -> progress.accept(sharing.first() + " and " + sharing.second() + ": "
                + sharing.sharing().text() + " (" + sharing.method() + ")"));
        return found;
    }

    private List<PairSharing> byRates(List<PairSharing> open, List<Candidate> all)
            throws LagbenchException, InterruptedException {
        List<Candidate> pairs = all.stream()
                .filter(pair -> open.stream().anyMatch(test -> isOf(test, pair)))
                .toList();
        Map<Candidate, List<Double>> alone = new HashMap<>();
        List<Double> atOnce = new ArrayList<>();
        RateSharing ofAll = sharing(pairs, alone, atOnce, false);
        while (ofAll.sharing() == Sharing.UNCERTAIN && atOnce.size() < REPEATS) {
            // Measured in turn, so that the load of the network changes little in between.
            for (Candidate pair : pairs) {
                alone.computeIfAbsent(pair, one -> new ArrayList<>()).add(rate(List.of(pair), alone));
            }
            atOnce.add(rate(pairs, alone));
            ofAll = sharing(pairs, alone, atOnce, atOnce.size() == REPEATS);
        }
        List<PairSharing> found = new ArrayList<>();
        for (PairSharing test : open) {
            RateSharing rates = ofAll;
            if (pairs.size() > 2 && ofAll.sharing() != Sharing.APART) {
                List<Candidate> both =
                        pairs.stream().filter(pair -> isOf(test, pair)).toList();
                List<Double> ofBoth = new ArrayList<>();
                for (int repeat = 0; repeat < atOnce.size(); repeat++) {
                    ofBoth.add(rate(both, alone));
                }
                rates = sharing(both, alone, ofBoth, true);
            }
            found.add(new PairSharing(
                    test.round(), test.first(), test.second(), rates.sharing(), rates.probability(), "rates"));
        }
        return found;
    }

    private static boolean isOf(PairSharing test, Candidate pair) {
        return test.first().equals(pair.pair().name())
                || test.second().equals(pair.pair().name());
    }

    /** Compares the rates of pairs at the same time with their rates alone. */
    private static RateSharing sharing(
            List<Candidate> pairs, Map<Candidate, List<Double>> alone, List<Double> together, boolean isLast) {
        List<Repeat> repeats = new ArrayList<>();
        for (int repeat = 0; repeat < together.size(); repeat++) {
            int of = repeat;
            List<Double> each = pairs.stream()
                    .map(pair -> Objects.requireNonNull(alone.get(pair)).get(of))
                    .toList();
            repeats.add(new Repeat(each, together.get(repeat)));
        }
        return RateSharing.of(repeats, isLast);
    }

    /** Sends transfers at the same time, and returns the sum of their rates in bit/s; NaN if it is unknown. */
    private double rate(List<Candidate> pairs, Map<Candidate, List<Double>> alone)
            throws LagbenchException, InterruptedException {
        return JointRate.read(together(pairs, pair -> pair.transfer(alone.getOrDefault(pair, List.of()))).stream()
                .map(RunDirectory::path)
                .toList());
    }

    private List<RunDirectory> together(List<Candidate> pairs, CheckedFunction<Candidate, Experiment> content)
            throws LagbenchException, InterruptedException {
        int number = tests.incrementAndGet();
        Progress errors = new MatrixExecution.PairProgress(progress, false, 0);
        List<Callable<RunDirectory>> runs = new ArrayList<>();
        for (Candidate pair : pairs) {
            runs.add(() -> pair.pair()
                    .execute(directory.resolve(pair.pair().name()), shutdown, content.apply(pair), number, errors));
        }
        return MatrixExecution.concurrently(pairs.size(), runs);
    }
}
