package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.lagbench.analysis.comparison.Verdict;
import org.lagbench.analysis.statistics.ClusteredShare;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.RepeatEstimate;
import org.lagbench.analysis.tune.Constraint;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.TuneResult.CandidateResult;
import org.lagbench.analysis.tune.TuneResult.CandidateVerdict;
import org.lagbench.analysis.tune.TuneResult.DefaultComparison;
import org.lagbench.analysis.tune.Tuner;
import org.lagbench.core.run.Objective;
import org.lagbench.core.text.Units;
import org.lagbench.report.table.Numbers;

/**
 * What a tuning run recommends and how sure that is, in sentences.
 *
 * @param transport the transport's name
 */
record TuneSentences(TuneResult result, Objective objective, String transport) {
    private static final String RESUME = "To continue, use --resume with a larger --budget.";

    /** Returns the sentences in the order of a report. */
    List<String> all() {
        TuneCandidate recommended = result.recommended();
        if (recommended == null) {
            return List.of(nothing());
        }
        if (result.isNoDifference()) {
            return result.comparison().verdict() == Verdict.BETTER
                    ? List.of(noDifference(recommended))
                    : List.of(noDifference(recommended), decision(recommended));
        }
        List<String> sentences =
                new ArrayList<>(List.of("Recommended for " + transport + ": " + recommended.text() + "."));
        if (!objective.isSetting()) {
            sentences.add(gain());
        }
        sentences.add(decision(recommended));
        return sentences;
    }

    private String nothing() {
        TuneCandidate closest = result.closest();
        if (closest == null) {
            return "Nothing is recommended: "
                    + (result.spoiledRuns() > 0 ? "each run was spoiled. " + RESUME : "no candidate was run.");
        }
        CandidateResult row = result.rows().stream()
                .filter(one -> one.candidate().equals(closest))
                .findFirst()
                .orElseThrow();
        boolean isOpen = result.rows().stream().anyMatch(one -> one.verdict() == CandidateVerdict.UNDECIDED);
        return "Nothing is recommended: no candidate is proven to meet " + constraints() + ". The closest is "
                + closest.text() + ", with " + kept(row) + "." + (isOpen ? packetsNeeded() + " " + RESUME : "");
    }

    private String noDifference(TuneCandidate recommended) {
        DefaultComparison comparison = result.comparison();
        if (recommended.isDefault()) {
            return result.decided()
                    ? "The system default is the best: change nothing."
                    : "Only the system default is proven to meet the constraints: change nothing.";
        }
        boolean isAnyOut = result.rows().stream().anyMatch(row -> row.verdict().isOut());
        String verdict =
                switch (comparison.verdict()) {
                    case BETTER -> "There is nothing to gain: the system default is better than the best candidate.";
                    case EQUIVALENT ->
                        (isAnyOut
                                        ? "The best of these settings is as good as the system default, and no better"
                                        : "These settings make no difference")
                                + ": a difference of less than "
                                + TuneReport.percent(result.criteria().indifference()) + " is proven.";
                    case WORSE, UNDECIDED ->
                        (comparison.runs() == 1
                                        ? "One run of each does not prove"
                                        : "The " + comparison.runs() + " runs of each do not prove")
                                + " that these settings make a difference. Leave them at the system default.";
                };
        return verdict + " The system default has a " + objective.title() + " of "
                + text(comparison.ofDefault()) + ". The smallest of the best, "
                + recommended.text() + ", has "
                + text(comparison.ofRecommended()) + "; round by round, " + factors() + ".";
    }

    private String gain() {
        DefaultComparison comparison = result.comparison();
        if (comparison.runs() == 0) {
            return "It was not compared with the system default: the budget ended first.";
        }
        String means = "Its " + objective.title() + " is "
                + text(comparison.ofRecommended()) + ", the system default's "
                + text(comparison.ofDefault());
        String runs = ", in " + comparison.runs() + " alternating runs of each for this comparison.";
        CandidateResult ofDefault = result.ofDefault().orElseThrow();
        if (ofDefault.verdict() == CandidateVerdict.INFEASIBLE) {
            return "The system default does not meet " + constraints() + ": " + kept(ofDefault) + ". " + means + runs;
        }
        return means + ": " + (objective.smallerIsBetter() ? "lower" : "higher") + " by " + factors() + runs;
    }

    private String text(double value) {
        return TuneReport.text(objective, value);
    }

    /** Returns the metrics that the constraints limit. */
    private String kept(CandidateResult row) {
        StringBuilder kept =
                new StringBuilder(loss(row) + " lost and " + TuneReport.mega(row.goodputBitsPerS()) + " Mbit/s");
        for (int i = 0; i < result.criteria().constraints().size(); i++) {
            Constraint constraint = result.criteria().constraints().get(i);
            if (constraint.isRequired()) {
                kept.append(", ")
                        .append(constraint.metric().id())
                        .append(' ')
                        .append(Numbers.significant(3, row.constrained().get(i).value()))
                        .append(' ')
                        .append(constraint.metric().unit());
            }
        }
        return kept.toString();
    }

    private static String loss(CandidateResult row) {
        return TuneReport.percent(row.loss().value() / Units.PERCENT);
    }

    private String factors() {
        Interval factor = result.comparison().ratio();
        return factor.hasEnds()
                ? String.format(
                        Locale.ROOT,
                        "a factor of %.3g (95 %%: %.3g to %.3g)",
                        factor.value(),
                        factor.low(),
                        factor.high())
                : String.format(Locale.ROOT, "a factor of %.3g (too few runs for an interval)", factor.value());
    }

    private String decision(TuneCandidate recommended) {
        String tolerance = TuneReport.percent(result.criteria().indifference());
        if (result.decided() && objective.isSetting()) {
            return "Decided after " + result.runs() + " runs: it meets " + constraints()
                    + ", and no smaller one that was run does. The probability that any of this is wrong is at most "
                    + TuneReport.percent(Tuner.LEVEL) + "." + packetsNeeded();
        }
        if (objective.isSetting()) {
            List<String> open = result.rows().stream()
                    .filter(row -> row.verdict() == CandidateVerdict.UNDECIDED)
                    .map(row -> row.candidate().text() + " (" + row.runs() + (row.runs() == 1 ? " run, " : " runs, ")
                            + loss(row) + " lost)")
                    .toList();
            return "Not decided after " + result.runs() + " runs: it meets " + constraints()
                    + (open.isEmpty()
                            ? ", but the budget ended before smaller ones were run."
                            : ", but of " + String.join(", ", open) + " neither that nor the opposite is proven.")
                    + packetsNeeded();
        }
        if (result.decided()) {
            return "Decided after " + result.runs() + " runs: it meets " + constraints()
                    + ", no other is better by more than " + tolerance + ", and no smaller is as good. "
                    + (result.tied() > 1
                            ? result.tied() + " candidates are tied, within " + tolerance
                                    + " of each other; the smallest wins. "
                            : "")
                    + "The probability that any of this is wrong is at most " + TuneReport.percent(Tuner.LEVEL) + ".";
        }
        List<String> others = result.alike().stream()
                .filter(candidate -> !candidate.equals(recommended))
                .map(TuneCandidate::text)
                .toList();
        return (result.comparison().verdict() == Verdict.EQUIVALENT
                        ? "Which is the best is not decided"
                        : "Not decided")
                + ": the budget ended after "
                + result.runs() + " runs, or the runs vary too much. "
                + (others.isEmpty()
                        ? "No other that meets " + constraints() + " has a better median in the same rounds. "
                        : "It is a tie with "
                                + others.stream().limit(4).collect(Collectors.joining("; "))
                                + (others.size() > 4 ? "; and " + (others.size() - 4) + " more" : "")
                                + ": not distinguished, and the smallest wins. ")
                + RESUME;
    }

    /** Returns how many packets without a loss a claim needs, and of what a limit of 0 is. */
    private String packetsNeeded() {
        List<Constraint> constraints = result.criteria().constraints();
        return constraints.stream()
                        .filter(constraint -> constraint.packetsNeeded(result.tail()) > 0)
                        .map(constraint -> " A proof of " + constraint.text() + " takes at least "
                                + Numbers.grouped(constraint.packetsNeeded(result.tail())) + " packets without one, in "
                                + RepeatEstimate.MIN + " runs or more: several values are tested, so each proof may be"
                                + " wrong with " + TuneReport.percent(result.tail()) + ", and "
                                + Math.round(ClusteredShare.ASSUMED_BURST) + " packets may be lost together.")
                        .collect(Collectors.joining())
                + (constraints.stream().anyMatch(Constraint::allowsNone)
                        ? " A limit of 0 % is about the measured packets alone: no number of them proves it for others."
                                + " They must prove 0.1 %."
                        : "");
    }

    private String constraints() {
        List<String> constraints = constraintTexts();
        return constraints.isEmpty() ? "all constraints (none are set)" : String.join(" and ", constraints);
    }

    List<String> constraintTexts() {
        return result.criteria().constraints().stream().map(Constraint::text).toList();
    }
}
