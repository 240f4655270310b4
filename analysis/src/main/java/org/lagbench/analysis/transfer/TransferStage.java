package org.lagbench.analysis.transfer;

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
