package org.lagbench.report.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.lagbench.analysis.tune.CandidateVerdict;
import org.lagbench.analysis.tune.ConfidenceInterval;
import org.lagbench.analysis.tune.DefaultComparison;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.Tuner;
import org.lagbench.core.tune.Objective;
import org.lagbench.report.table.Numbers;

/** What a tune found, in words and tables, for a terminal and as Markdown. */
public final class TuneReport {
    private static final double PERCENT = 100;
    private static final double MEGA = 1e6;

    private final TuneResult result;
    private final Objective objective;
    private final String transport;

    /**
     * Of a result.
     *
     * @param transport the transport's name
     */
    public TuneReport(TuneResult result, Objective objective, String transport) {
        this.result = result;
        this.objective = objective;
        this.transport = transport;
    }

    /** For a terminal. */
    public String text() {
        StringBuilder text = new StringBuilder();
        sentences().forEach(sentence -> text.append(sentence).append('\n'));
        for (Surface surface : surfaces()) {
            text.append('\n').append(surface.title()).append("\n\n").append(surface.text());
        }
        text.append('\n').append(rowsTitle()).append("\n\n").append(rows());
        String snippet = snippet();
        if (!snippet.isEmpty()) {
            text.append('\n').append(snippet);
        }
        return text.toString();
    }

    /** As Markdown. */
    public String markdown(String session) {
        StringBuilder text = new StringBuilder("# Tune ").append(session).append("\n\n");
        sentences().forEach(sentence -> text.append(sentence).append("\n\n"));
        for (Surface surface : surfaces()) {
            text.append("## ").append(surface.title()).append("\n\n").append(fenced(surface.text()));
        }
        text.append("## ").append(rowsTitle()).append("\n\n").append(fenced(rows()));
        String snippet = snippet();
        if (!snippet.isEmpty()) {
            text.append("## To paste\n\n").append(fenced(snippet));
        }
        return text.toString();
    }

    /** What was found, a sentence or two each. */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        TuneCandidate recommended = result.recommended();
        if (recommended == null) {
            sentences.add(nothing());
            return sentences;
        }
        if (result.isNoDifference()) {
            sentences.add(noDifference(recommended));
        } else {
            sentences.add("Recommended for " + transport + ": " + recommended.text() + ".");
            sentences.add(gain());
        }
        sentences.add(decision(recommended));
        return sentences;
    }

    private String nothing() {
        TuneCandidate closest = result.closest();
        String constraints = constraints();
        if (closest == null) {
            return "Nothing is recommended: nothing was run.";
        }
        TuneResult.CandidateResult row = row(closest);
        return "Nothing is recommended: no candidate is proven to keep to "
                + (constraints.isEmpty() ? "nothing" : constraints)
                + ". What came closest: " + closest.text() + ", with " + percent(row.loss()) + " lost and "
                + mega(row.goodputBitsPerS()) + " Mbit/s.";
    }

    private String noDifference(TuneCandidate recommended) {
        DefaultComparison comparison = result.comparison();
        if (recommended.isDefault()) {
            return result.decided()
                    ? "Today's default is the best there is: change nothing."
                    : "Nothing is proven to keep to the constraints but today's default: change nothing.";
        }
        String verdict = comparison.isLoss()
                ? "Nothing is to be gained: today's default is better than the best candidate."
                : comparison.isSame(result.criteria().indifference())
                        ? same() + ": a difference of less than "
                                + percent(result.criteria().indifference()) + " is proven."
                        : "Whether these settings make a difference is not proven by " + comparison.runs()
                                + " runs of each. Leave them at today's default.";
        return verdict + " " + ofDefault() + " The smallest of the best, " + recommended.text() + ", has "
                + Numbers.usText(comparison.recommendedNs()) + " µs: " + factors() + ".";
    }

    private String same() {
        return result.rows().stream()
                        .noneMatch(row ->
                                row.verdict() == CandidateVerdict.WORSE || row.verdict() == CandidateVerdict.INFEASIBLE)
                ? "These settings make no difference"
                : "The best of these settings is as good as today's default, and no better";
    }

    private String ofDefault() {
        return "Today's default has a " + objective.title() + " of "
                + Numbers.usText(result.comparison().defaultNs()) + " µs.";
    }

    private String gain() {
        DefaultComparison comparison = result.comparison();
        if (comparison.runs() == 0) {
            return "It was not compared with today's default: the budget ended before.";
        }
        ConfidenceInterval us = comparison.differenceNs();
        return "Its " + objective.title() + " is " + Numbers.usText(comparison.recommendedNs())
                + " µs, today's default's "
                + Numbers.usText(comparison.defaultNs()) + " µs: lower by " + factors() + ", by "
                + Numbers.usText(us.estimate())
                + " µs (95 %: " + Numbers.usText(us.low()) + " to " + Numbers.usText(us.high()) + " µs), by "
                + comparison.runs() + " runs of each made for this alone, in turn.";
    }

    private String factors() {
        ConfidenceInterval factor = result.comparison().factor();
        return factor.isBounded()
                ? String.format(
                        Locale.ROOT,
                        "a factor of %.3g (95 %%: %.3g to %.3g)",
                        factor.estimate(),
                        factor.low(),
                        factor.high())
                : String.format(Locale.ROOT, "a factor of %.3g (too few runs for an interval)", factor.estimate());
    }

    private String decision(TuneCandidate recommended) {
        String tolerance = percent(result.criteria().indifference());
        if (result.decided()) {
            return "Decided after " + result.runs() + " runs: it keeps to " + orNoConstraints()
                    + ", no other is better by more than " + tolerance + ", and no smaller is as good. "
                    + (result.tied() > 1
                            ? result.tied() + " candidates are tied, within " + tolerance
                                    + " of each other; the smaller buffer wins. "
                            : "")
                    + "That one of this is wrong has a probability of at most " + percent(Tuner.LEVEL) + ".";
        }
        List<String> others = result.alike().stream()
                .filter(candidate -> !candidate.equals(recommended))
                .map(TuneCandidate::text)
                .toList();
        boolean isSame = result.comparison().isSame(result.criteria().indifference());
        return (isSame ? "Which is the best is not decided" : "Not decided") + ": the budget ended after "
                + result.runs() + " runs, or the runs vary too much. "
                + (others.isEmpty()
                        ? "It has the least median of those that keep to " + orNoConstraints() + ". "
                        : "It is a tie with "
                                + others.stream().limit(4).collect(Collectors.joining("; "))
                                + (others.size() > 4 ? "; and " + (others.size() - 4) + " more" : "")
                                + ": not told apart, and the smaller buffer wins. ")
                + "A larger --budget with --resume goes on.";
    }

    private String orNoConstraints() {
        String constraints = constraints();
        return constraints.isEmpty() ? "all constraints (there are none)" : constraints;
    }

    private String constraints() {
        List<String> constraints = new ArrayList<>();
        Double loss = result.criteria().maximumLoss();
        Double goodput = result.criteria().minimumGoodputBitsPerS();
        if (loss != null) {
            constraints.add("a loss of " + percent(loss) + " at most");
        }
        if (goodput != null) {
            constraints.add("a goodput of " + mega(goodput) + " Mbit/s at least");
        }
        return String.join(" and ", constraints);
    }

    private List<Surface> surfaces() {
        return Surface.of(result, objective);
    }

    private String rowsTitle() {
        return "All candidates, the smaller first";
    }

    private String rows() {
        StringBuilder text = new StringBuilder();
        int width = result.rows().stream()
                .mapToInt(row -> row.candidate().text().length())
                .max()
                .orElse(0);
        text.append(String.format(
                Locale.ROOT,
                "%-" + Math.max(1, width) + "s  %4s  %12s  %9s  %9s  %s%n",
                "",
                "runs",
                objective.text() + " µs",
                "loss",
                "Mbit/s",
                "verdict"));
        for (TuneResult.CandidateResult row : result.rows()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-" + width + "s  %4d  %12s  %9s  %9s  %s%n",
                    row.candidate().text(),
                    row.runs(),
                    Numbers.usText(row.objectiveNs()),
                    percent(row.loss()),
                    mega(row.goodputBitsPerS()),
                    row.verdict().title() + (row.candidate().equals(result.recommended()) ? ", recommended" : "")));
        }
        return text.toString();
    }

    private String snippet() {
        TuneCandidate recommended = result.recommended();
        return recommended == null || recommended.isDefault() || result.isNoDifference()
                ? ""
                : Snippet.of(recommended, transport);
    }

    private TuneResult.CandidateResult row(TuneCandidate candidate) {
        return result.rows().stream()
                .filter(row -> row.candidate().equals(candidate))
                .findFirst()
                .orElseThrow();
    }

    private static String fenced(String text) {
        return "```\n" + text + (text.endsWith("\n") ? "" : "\n") + "```\n\n";
    }

    private static String mega(double bitsPerS) {
        return String.format(Locale.ROOT, "%.1f", bitsPerS / MEGA);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.3g", share * PERCENT)
                        .replaceFirst("(\\.\\d*?)0+$", "$1")
                        .replaceFirst("\\.$", "")
                + " %";
    }
}
