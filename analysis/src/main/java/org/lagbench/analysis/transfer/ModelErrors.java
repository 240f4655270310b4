package org.lagbench.analysis.transfer;

import java.util.List;

/**
 * How well a model predicts the total time of compressed runs, and how often it predicts correctly whether compression
 * is faster. Errors are relative to the measured total. A mean error is the mean over the points of each point's mean.
 * Each point is one observation: its runs share a bandwidth, and so the error that comes from it.
 *
 * @param model the model
 * @param runs number of runs
 * @param error mean of the absolute errors
 * @param lessThanSimple mean of the simple model's absolute error minus this model's
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

    /**
     * Computes the errors of a model.
     *
     * @param points the runs of each point; at least one run of each
     */
    public static ModelErrors of(Model model, List<List<Prediction>> points) {
        List<Prediction> runs = points.stream().flatMap(List::stream).toList();
        return new ModelErrors(
                model,
                runs.size(),
                Resampling.ofPoints(points, model::absoluteError).ofPositive(),
                Resampling.ofPoints(points, run -> Model.SIMPLE.absoluteError(run) - model.absoluteError(run)),
                (int) runs.stream()
                        .filter(run -> run.isRight(model.totalNs(run)))
                        .count());
    }
}
