package org.lagbench.analysis.capacity;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.failure.LagbenchException;

/**
 * The rate of simultaneous transfers. Only the time counts in which all of them run: before the last has begun and
 * after the first has ended, the others have the path for themselves.
 */
public final class JointRate {
    /** In a shorter time, the transfers would mostly be in slow start. */
    private static final double MIN_NS = 1e9;

    private JointRate() {}

    /**
     * Returns the sum of the rates of acknowledged bytes in bit/s; NaN if the transfers hardly ran at the same time, or
     * if the states of a connection are unknown.
     *
     * @param runs the directories of runs with one transfer each, by hosts whose clocks agree within about 10 ms
     */
    public static double read(List<Path> runs) throws LagbenchException {
        List<ProbeCurve> curves = new ArrayList<>();
        for (Path run : runs) {
            Path file = run.resolve(TransferFiles.TCP_FILE_NAME);
            if (!Files.exists(file)) {
                return Double.NaN;
            }
            try (CaptureReader states = CaptureReader.open(file)) {
                if (states.records() == 0) {
                    return Double.NaN;
                }
                curves.add(ProbeCurve.read(states, 0, states.records()));
            }
        }
        return of(curves);
    }

    /** Returns the sum of the rates of at least one transfer in bit/s; NaN if they hardly ran at the same time. */
    static double of(List<ProbeCurve> curves) {
        long fromNs = curves.stream().mapToLong(curve -> stamp(curve, 0)).max().orElseThrow();
        long untilNs = curves.stream()
                .mapToLong(curve -> stamp(curve, curve.last()))
                .min()
                .orElseThrow();
        double bytes = curves.stream()
                .mapToLong(curve -> ackedBytes(curve, untilNs) - ackedBytes(curve, fromNs))
                .sum();
        double ns = (double) (untilNs - fromNs);
        return ns < MIN_NS ? Double.NaN : 8e9 * bytes / ns;
    }

    private static long stamp(ProbeCurve curve, int state) {
        return curve.value(state, "at_ns");
    }

    private static long ackedBytes(ProbeCurve curve, long atNs) {
        return curve.ackedBytes(curve.at((double) (atNs - stamp(curve, 0))));
    }
}
