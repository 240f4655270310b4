package org.lagbench.analysis.compression;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How well a model predicts the total of compressed runs, and how often its choice between compressing and not is the
 * faster one. Errors are relative to the measured total. A run is the unit, because the transfers of a run are
 * correlated.
 *
 * @param model which model
 * @param runs number of runs
 * @param error mean of the absolute errors
 * @param lessThanSimple mean of how much smaller the absolute error is than that of the simple model, run by run
 * @param right number of runs for which the model's choice is the faster one
 */
public record ModelErrors(Model model, int runs, Resampling error, Resampling lessThanSimple, int right) {
    /** The models. */
    public enum Model {
        /** Formulas (2) to (5). */
        SIMPLE,
        /** Formula (6). */
        OVERLAP,
        /** With decompression as a third stage. */
        THREE_STAGES;

        double totalNs(Prediction prediction) {
            return switch (this) {
                case SIMPLE -> prediction.simpleNs();
                case OVERLAP -> prediction.overlapNs();
                case THREE_STAGES -> prediction.threeStagesNs();
            };
        }

        double absoluteError(Prediction prediction) {
            return Math.abs(prediction.error(totalNs(prediction)));
        }
    }

    /** Computes the errors of a model for runs, at least one. */
    public static ModelErrors of(Model model, List<Prediction> runs) {
        return new ModelErrors(
                model,
                runs.size(),
                mean(runs, model::absoluteError),
                mean(runs, run -> Model.SIMPLE.absoluteError(run) - model.absoluteError(run)),
                (int) runs.stream()
                        .filter(run -> run.isRight(model.totalNs(run)))
                        .count());
    }

    private static Resampling mean(List<Prediction> runs, ToDoubleFunction<Prediction> value) {
        return Resampling.ofMean(runs.stream().mapToDouble(value).toArray());
    }
}
