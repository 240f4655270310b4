package org.lagbench.analysis.transfer;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The stages of one compressed run as predicted by formulas (2) to (5) and as measured, as in figures 9 to 11 of Hu
 * (2003). A prediction needs speed and ratio before the transfer, so they are taken from the other runs with the same
 * codec and data. Times are in ns, sizes in bytes. All values are for one transfer.
 *
 * @param total the predictions of all models for the whole transfer
 * @param stages each {@link TransferStage}
 */
public record StagePrediction(Prediction total, Map<TransferStage, Stage> stages) {
    /** A stage; its measured time to send is the time in the calls that sent the chunks. */
    record Stage(double predicted, double measured) {}

    /**
     * Predicts a run.
     *
     * @param none the metrics of the uncompressed transfers of the same data over the same network
     * @param others the other runs with the same codec and data, of any size and over any network; at least one
     */
    public static StagePrediction of(CompressionMetrics run, CompressionMetrics none, List<CompressionMetrics> others) {
        double rawBytes = sum(others, true);
        double speed = rawBytes
                / others.stream()
                        .mapToDouble(metrics -> metrics.medianCompressNs() * metrics.transfers())
                        .sum();
        double ratio = rawBytes / sum(others, false);
        Prediction total = Prediction.of(run, none, speed, ratio);
        double bytes = run.encodedBytes() * run.ratio();
        return new StagePrediction(
                total,
                Map.of(
                        TransferStage.TOTAL,
                        new Stage(total.simpleNs(), total.measuredNs()),
                        TransferStage.COMPRESSION,
                        new Stage(bytes / speed, run.medianCompressNs()),
                        TransferStage.SENDING,
                        new Stage(bytes / ratio / total.bandwidthBytesPerNs(), run.medianSendNs()),
                        TransferStage.SIZE,
                        new Stage(bytes / ratio, run.encodedBytes())));
    }

    Stage of(TransferStage stage) {
        return Objects.requireNonNull(stages.get(stage));
    }

    private static double sum(List<CompressionMetrics> runs, boolean raw) {
        return runs.stream()
                .mapToDouble(run -> run.encodedBytes() * run.transfers() * (raw ? run.ratio() : 1))
                .sum();
    }

    /** What formulas (2) to (5) of Hu (2003) predict for a compressed transfer. Times are in ns, the size in bytes. */
    public enum TransferStage {
        TOTAL,
        COMPRESSION,
        SENDING,
        SIZE;

        public double predicted(StagePrediction run) {
            return run.of(this).predicted();
        }

        public double measured(StagePrediction run) {
            return run.of(this).measured();
        }

        /** Returns the predicted value minus the measured one. */
        public double error(StagePrediction run) {
            return predicted(run) - measured(run);
        }

        /** Returns the error relative to the measured value. */
        public double relativeError(StagePrediction run) {
            return error(run) / measured(run);
        }
    }
}
