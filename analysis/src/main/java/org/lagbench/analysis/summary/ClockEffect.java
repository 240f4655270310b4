package org.lagbench.analysis.summary;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.EnumSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.StampStep;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.OffsetInterval;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/**
 * The effect of the clocks on the lags of one run or of several.
 *
 * @param boundNs ± the maximum error of a lag because of the clocks' offset, in ns, the largest of the runs; null if
 *     unknown for one. The rate of a clock adds up to {@value #LARGEST_RATE_PPM} ppm of the lag
 * @param bases the bases of the runs' bounds
 * @param accepted names of the runs that were executed although the bound exceeded the experiment's limit
 * @param negativeBeyondBound packets received before they were sent by more than the bound of their run; null if
 *     unknown
 * @param stepped names of the runs in which a clock was set, or its rate changed
 * @param steps the steps of the clocks that the stamps show
 * @param marks further warnings for the reader
 */
public record ClockEffect(
        @JsonIgnore @Nullable Long boundNs,
        Set<ClockBound.Basis> bases,
        List<String> accepted,
        @JsonIgnore @Nullable Long negativeBeyondBound,
        List<String> stepped,
        List<RunStep> steps,
        List<RunMark> marks) {
    /** The metrics of clocks. */
    static final List<Metric<ClockEffect>> METRICS = List.of(
            Metric.time("clock.bound", "Clock bound", "Max", Combination.MAX, ClockEffect::boundNs),
            Metric.packets(
                    "clock.negativeBeyondBound",
                    "Lags below the clock bound",
                    "Count",
                    ClockEffect::negativeBeyondBound));

    /** The largest error of a clock's rate, to which the kernel limits corrections of it. */
    public static final int LARGEST_RATE_PPM = OffsetInterval.LARGEST_DRIFT_PPM;

    private static final double RATE = LARGEST_RATE_PPM / (Units.PPM - LARGEST_RATE_PPM);

    /** Returns the maximum error of a measured lag because of the clocks, in ns; infinite if unknown. */
    public double errorNs(double lagNs) {
        return boundNs == null ? Double.POSITIVE_INFINITY : boundNs + RATE * Math.abs(lagNs);
    }

    /** Returns these effects and others together. */
    ClockEffect plus(ClockEffect other) {
        Set<ClockBound.Basis> allBases = EnumSet.copyOf(bases);
        allBases.addAll(other.bases);
        Long negative = negativeBeyondBound;
        Long otherNegative = other.negativeBeyondBound;
        return new ClockEffect(
                boundNs == null || other.boundNs == null ? null : (Long) Math.max(boundNs, other.boundNs),
                allBases,
                Stream.concat(accepted.stream(), other.accepted.stream()).toList(),
                negative == null || otherNegative == null ? null : (Long) (negative + otherNegative),
                Stream.concat(stepped.stream(), other.stepped.stream()).toList(),
                Stream.concat(steps.stream(), other.steps.stream()).toList(),
                Stream.concat(marks.stream(), other.marks.stream()).toList());
    }

    /** Returns these effects with further warnings. */
    ClockEffect with(List<RunMark> more) {
        return new ClockEffect(
                boundNs,
                bases,
                accepted,
                negativeBeyondBound,
                stepped,
                steps,
                Stream.concat(marks.stream(), more.stream()).toList());
    }

    /**
     * A warning about a run: its clocks, the load of its hosts, or what it observed.
     *
     * @param run the run's name, with its load in brackets if that is the reason
     * @param sentence one sentence or more
     * @param spoils whether the machine spoiled the run by it, so that no verdict uses the run
     */
    public record RunMark(String run, String sentence, @JsonIgnore boolean spoils) {
        private static final Pattern LOAD = Pattern.compile(".* \\((\\d+) %\\)");

        /** Creates a mark that does not spoil its run. */
        public RunMark(String run, String sentence) {
            this(run, sentence, false);
        }

        /**
         * Returns the beginning of a sentence: the CPU time that other programs used; "This was found " if no mark has
         * it.
         */
        public static String shares(List<RunMark> marks) {
            IntSummaryStatistics shares = marks.stream()
                    .map(mark -> LOAD.matcher(mark.run))
                    .filter(Matcher::matches)
                    .mapToInt(load -> Integer.parseInt(load.group(1)))
                    .summaryStatistics();
            if (shares.getCount() == 0) {
                return "This was found ";
            }
            return "They used " + shares.getMin() + (shares.getMin() == shares.getMax() ? "" : "–" + shares.getMax())
                    + " % ";
        }
    }

    /**
     * A step of a clock that the stamps of a run show.
     *
     * @param noticedBy "sender" or "receiver" if that host noticed that its clock was set; null if none did
     */
    public record RunStep(String run, StampStep step, @Nullable String noticedBy) {}
}
