package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lagbench.analysis.join.PacketCounts;
import org.lagbench.analysis.summary.BufferGrant;
import org.lagbench.analysis.summary.ClockFigures;
import org.lagbench.analysis.summary.Mark;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.run.RunRecord;

/** What is said below tables. */
final class Notes {
    private final Summary summary;
    private final Axes axes;
    private final List<String> notes = new ArrayList<>();

    private Notes(Summary summary, Axes axes) {
        this.summary = summary;
        this.axes = axes;
    }

    /** What a reader must know of the tables of lags, each a sentence or more. */
    static List<String> ofLags(Summary summary, Axes axes) {
        Notes notes = new Notes(summary, axes);
        if (!summary.points().isEmpty()) {
            notes.statistics();
            notes.clock();
            notes.sharedStamps();
        }
        if (summary.corrected()) {
            notes.corrected();
        }
        notes.notes.addAll(NetworkNotes.of(summary, axes));
        summary.points().forEach(notes::negativeLags);
        notes.runs();
        return notes.notes;
    }

    /** Which runs are in the tables of a summary, or not, against expectation. */
    static List<String> ofRuns(Summary summary, Axes axes) {
        Notes notes = new Notes(summary, axes);
        notes.runs();
        return notes.notes;
    }

    /** What belongs below every table: buffers that were not granted, and the marks of the runs. */
    static List<String> marks(Summary summary) {
        Map<String, List<String>> runsBySentence = new LinkedHashMap<>();
        for (PointSummary point : summary.points()) {
            for (Mark mark : point.pooled().clock().marks()) {
                runsBySentence
                        .computeIfAbsent(mark.sentence(), sentence -> new ArrayList<>())
                        .add(mark.run());
            }
        }
        List<String> marks = new ArrayList<>();
        summary.points().stream()
                .flatMap(point -> point.pooled().buffers().stream())
                .map(BufferGrant::remedy)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(remedy -> marks.add("! " + remedy));
        runsBySentence.forEach((sentence, runs) -> marks.add("! " + String.join(", ", runs) + ": " + sentence));
        return marks;
    }

    private void statistics() {
        notes.add("Quantiles by estimator R-7; sample standard deviation (n − 1); the repeats of a point are pooled.");
        notes.add(
                "With Q95 removed: of the values ≤ Q95, the 95 % quantile; \"Beyond Q95\" tells how many are left out."
                        + " Likewise Q99.");
    }

    private void clock() {
        notes.add("Clock: how far each median, mean and quantile of lag may be off because of the clocks of the two"
                + " sides, the greatest of the runs, and what tells.");
        if (summary.points().stream().anyMatch(point -> point.pooled().clock().boundNs() == null)) {
            notes.add("± unknown: it was not established that the clocks agree; such lags may be off by any amount.");
        }
        List<String> accepted = summary.points().stream()
                .flatMap(point -> point.pooled().clock().accepted().stream())
                .toList();
        if (!accepted.isEmpty()) {
            notes.add("Accepted unsynchronized: the clock bound was over the experiment's limit when these runs began,"
                    + " and --accept-unsynchronized let them: " + String.join(", ", accepted) + ".");
        }
    }

    private void sharedStamps() {
        List<String> batches = summary.points().stream()
                .filter(point -> point.pooled().packetsPerCall() > 1)
                .map(point -> String.join(", ", axes.cells(point.point())) + " (up to "
                        + point.pooled().packetsPerCall() + ")")
                .toList();
        if (!batches.isEmpty()) {
            notes.add("Packets that one system call moved have its stamps in common: " + String.join("; ", batches)
                    + ".");
        }
    }

    private void corrected() {
        List<String> oneClock = new ArrayList<>();
        List<String> withoutStamps = new ArrayList<>();
        boolean any = false;
        for (PointSummary point : summary.points()) {
            for (RunSummary run : point.runs()) {
                if (!run.figures().corrected().isEmpty()) {
                    any = true;
                } else if (ClockText.isOneClock(run.figures().clock())) {
                    oneClock.add(run.name());
                } else {
                    withoutStamps.add(run.name());
                }
            }
        }
        if (any) {
            notes.add("Lag: raw as stamped; \"two-way\" less offset and skew of the clocks by least squares through the"
                    + " two-way stamps of the control connection; \"hull\" less those by the hulls of all one-way"
                    + " stamps (Moon, Skelly and Towsley 1999). Their ± is all that the stamps leave open, an"
                    + " asymmetric path included.");
        }
        if (!any && withoutStamps.isEmpty() && !oneClock.isEmpty()) {
            notes.add("There is nothing to correct: both sides of every run were on one kernel, and so had one clock.");
        } else if (!oneClock.isEmpty()) {
            notes.add("Nothing to correct, as both sides were on one kernel and so had one clock: "
                    + String.join(", ", oneClock) + ".");
        }
        if (!withoutStamps.isEmpty()) {
            notes.add("Not corrected for want of two-way stamps, nor is the point that they are pooled in: "
                    + String.join(", ", withoutStamps) + ".");
        }
    }

    private void negativeLags(PointSummary point) {
        PacketCounts packets = point.pooled().packets();
        ClockFigures clock = point.pooled().clock();
        if (packets.negativeLags() == 0) {
            return;
        }
        Long beyond = clock.negativeBeyondBound();
        String explanation;
        if (beyond == null) {
            explanation = "The clocks are not known to agree, which may be why.";
        } else if (beyond == 0) {
            explanation = "The clocks explain it: a lag is known to " + ClockText.bound(clock) + ".";
        } else {
            explanation = "Lags are known to " + ClockText.bound(clock) + ", but " + beyond
                    + " came earlier than that allows: see the mark.";
        }
        notes.add("Negative lags of " + String.join(", ", axes.cells(point.point())) + ": " + packets.negativeLags()
                + ". By the clocks' account these packets came before they were sent; they are in all figures. "
                + explanation);
    }

    private void runs() {
        summary.points().stream()
                .flatMap(point -> point.runs().stream())
                .filter(run -> run.state() != RunRecord.State.COMPLETE)
                .forEach(run -> notes.add("Included though it did not come to its end: " + run.name() + "."));
        summary.excluded().forEach(run -> notes.add("Excluded: " + run.name() + ", " + withFullStop(run.reason())));
        if (summary.points().isEmpty()) {
            notes.add("No run is left to make a table of.");
        }
    }

    private static String withFullStop(String reason) {
        return reason.endsWith(".") ? reason : reason + ".";
    }
}
