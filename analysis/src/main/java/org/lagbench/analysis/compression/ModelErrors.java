package org.lagbench.analysis.compression;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How well a model predicts the total time of compressed runs, and how often it predicts correctly whether compression
 * is faster. Errors are relative to the measured total. Each run is one observation, because the transfers of a run are
 * correlated.
 *
 * @param model the model
 * @param runs number of runs
 * @param error mean of the absolute errors
 * @param lessThanSimple mean of the simple model's absolute error minus this model's, run by run
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

    /** Computes the errors of a model for at least one run. */
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
