package org.lagbench.analysis.transfer;

import java.util.function.ToDoubleFunction;

/** What formulas (2) to (5) of Hu (2003) predict for a compressed transfer. Times are in ns, the size in bytes. */
public enum TransferStage {
    TOTAL(run -> run.total().simpleNs(), run -> run.total().measuredNs()),
    COMPRESSION(StagePrediction::compressNs, StagePrediction::measuredCompressNs),
    SENDING(StagePrediction::sendNs, StagePrediction::measuredSendNs),
    SIZE(StagePrediction::encodedBytes, StagePrediction::measuredEncodedBytes);

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final ToDoubleFunction<StagePrediction> predicted;

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final ToDoubleFunction<StagePrediction> measured;

    TransferStage(ToDoubleFunction<StagePrediction> predicted, ToDoubleFunction<StagePrediction> measured) {
        this.predicted = predicted;
        this.measured = measured;
    }

    public double predicted(StagePrediction run) {
        return predicted.applyAsDouble(run);
    }

    public double measured(StagePrediction run) {
        return measured.applyAsDouble(run);
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
