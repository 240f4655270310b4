package org.lagbench.analysis.transfer;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.lagbench.analysis.statistics.Interval;

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
public record ModelErrors(Model model, int runs, Interval error, Interval lessThanSimple, int right) {
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
     * Computes how well a model predicts the total times of runs.
     *
     * @param points the runs of each point; at least one run of each
     */
    public static ModelErrors of(Model model, List<List<Prediction>> points) {
        List<Prediction> runs = points.stream().flatMap(List::stream).toList();
        return new ModelErrors(
                model,
                runs.size(),
                meanOverPoints(points, model::absoluteError).ofPositive(),
                meanOverPoints(points, run -> Model.SIMPLE.absoluteError(run) - model.absoluteError(run)),
                (int) runs.stream()
                        .filter(run -> run.isRight(model.totalNs(run)))
                        .count());
    }

    /** Returns the mean over points of the mean over the runs of a point: the runs of a point have errors in common. */
    public static <R> Interval meanOverPoints(List<List<R>> points, ToDoubleFunction<R> value) {
        return Interval.ofMean(points.stream()
                .mapToDouble(runs -> runs.stream().mapToDouble(value).average().orElseThrow())
                .toArray());
    }
}
