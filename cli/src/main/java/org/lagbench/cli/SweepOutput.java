package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.KeptFiles;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.text.Endpoint;
import org.lagbench.report.page.ReportFile;
import org.lagbench.report.table.BriefLines;
import org.lagbench.report.table.RequirementReport;
import org.lagbench.report.table.RunRows;
import org.lagbench.report.table.SummaryDocument;
import org.lagbench.report.table.TableFormat;
import org.lagbench.report.table.TableView;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.GridPlan;
import org.lagbench.runner.sweep.Progress;
import org.lagbench.runner.sweep.Sweep;
import org.lagbench.web.EventLog;
import org.lagbench.web.LivePage;
import org.lagbench.web.LiveServer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the commands that execute an experiment, for what they show, print and write. */
final class SweepOutput {
    /** Seconds of runs that the live page shows if it is opened later. */
    private static final int RECENT_SECONDS = 1_000;

    @Option(names = "--quiet", description = "Print only errors.")
    private boolean quiet;

    @Mixin
    private final LiveArguments live = new LiveArguments();

    @Option(
            names = "--json-stream",
            description = "Print an event per line as JSON on the standard output, instead of tables: the seconds and"
                    + " results of runs. See docs/reference/live.md.")
    private boolean jsonStream;

    @Option(names = "--json", description = "Print the summary as JSON instead of the table.")
    private boolean json;

    @Option(names = "--brief", description = "Print one line for each point instead of the tables.")
    private boolean brief;

    @Mixin
    private final RequireArguments requirements = new RequireArguments(true);

    @Option(names = "--no-report", description = "Do not make " + ReportFile.NAME + "; lagbench report makes it later.")
    private boolean noReport;

    private @Nullable Progress lines;

    /** Shows this instead of a progress bar or lines of runs, unless another output is requested. */
    void show(Progress shown) {
        lines = shown;
    }

    /** Checks the options before there is a session. */
    void check() throws LagbenchException {
        requirements.check();
        if ((json ? 1 : 0) + (brief ? 1 : 0) + (jsonStream ? 1 : 0) > 1) {
            throw ExitCode.USAGE.failure(
                    "--json, --json-stream and --brief all use the standard output; select one of them.");
        }
    }

    /** Makes an execution; reports a failure as an event if events are requested. */
    Execution begin(Beginning beginning, PrintWriter out) throws LagbenchException, InterruptedException, IOException {
        try {
            return beginning.begin();
        } catch (LagbenchException e) {
            if (jsonStream) {
                EventProgress.reportFailure(e, out::println);
            }
            throw e;
        }
    }

    /** Makes an execution, which may connect to the receiver. */
    @FunctionalInterface
    interface Beginning {
        Execution begin() throws LagbenchException, InterruptedException, IOException;
    }

    /**
     * Executes the runs, writes the files of the summary and the report, and prints the summary.
     *
     * @param isObserveSet whether the user set what runs observe, and so learns why they recorded no causes
     */
    ExitCode execute(Execution execution, boolean isObserveSet, PrintWriter out, PrintWriter err)
            throws LagbenchException, InterruptedException, IOException {
        ExitCode exitCode = executeShown(execution, out, err);
        if (exitCode == ExitCode.INTERRUPTED) {
            return exitCode;
        }
        double accepted = requirements.acceptedMissing();
        if (!execution.session().hasCompleteRun()) {
            ExitCode judged = requirements.finish(requirements.judge(withoutRuns(execution)), err);
            return exitCode == ExitCode.OK || (exitCode == ExitCode.BROKEN && accepted == 1) ? judged : exitCode;
        }
        Session session = Session.open(execution.session().directory());
        Summary summary = Summaries.of(session, SummaryOptions.DEFAULT);
        ExitCode reported = report(execution, session, summary, isObserveSet, out, err);
        List<RunSummary> complete = summary.points().stream()
                .flatMap(point -> point.runs().stream())
                .toList();
        long planned = execution.experiment().groups(execution.seed()).stream()
                .mapToLong(group -> group.runs().size())
                .sum();
        long failed = exitCode == ExitCode.OK ? 0 : planned - complete.size();
        long empty = complete.stream().filter(run -> !run.isDelivered()).count();
        if (exitCode != ExitCode.OK && (exitCode != ExitCode.BROKEN || failed > accepted * planned)) {
            return exitCode;
        } else if (reported == ExitCode.MISSED || failed + empty <= accepted * planned) {
            return reported;
        }
        err.println("lagbench: No packet, or no reply, arrived in " + empty + " of " + planned
                + (planned == 1 ? " run" : " runs") + "; --allow-missing accepts a share of the runs.");
        return ExitCode.BROKEN;
    }

    /** Returns the summary of a session without a complete run. */
    static Summary withoutRuns(Execution execution) {
        String name = String.valueOf(execution.session().directory().getFileName());
        return new Summary(name, false, List.of(), List.of());
    }

    private ExitCode report(
            Execution execution,
            Session session,
            Summary summary,
            boolean isObserveSet,
            PrintWriter out,
            PrintWriter err)
            throws LagbenchException, IOException {
        SummaryDocument.write(session.path(), summary);
        RequirementReport judged = requirements.judge(summary);
        if (json) {
            out.append(requirements.text(TableFormat.JSON.result(summary), judged, TableFormat.JSON));
        } else if (brief) {
            BriefLines.of(summary).forEach(out::println);
        } else if (!quiet && !jsonStream) {
            out.append(requirements.text(TableFormat.TEXT.result(summary), judged, TableFormat.TEXT));
            if (!summary.streams().isEmpty()) {
                out.append(TableView.STREAMS.result(summary).text(TableFormat.TEXT));
            }
            Endpoint receiver = execution.experiment().path().receiver();
            if (receiver != null) {
                out.println(keptFiles(receiver, session));
            }
            out.println("Session: " + session.path());
        }
        out.flush();
        if (isObserveSet && !quiet) {
            ObservationNotes.print(session, err);
        }
        ExitCode checked = requirements.finish(judged, err);
        if (noReport) {
            return checked;
        }
        try {
            Path file = session.path().resolve(ReportFile.NAME);
            ReportFile.write(file, session, summary);
            if (!quiet && !json && !jsonStream && !brief) {
                out.println("Report: " + file);
            }
            return checked;
        } catch (LagbenchException | RuntimeException e) {
            err.println(ReportFile.NAME + " was not written: " + e.getMessage() + " To try again: lagbench report "
                    + session.path());
            return e instanceof LagbenchException known ? known.exitCode() : ExitCode.INTERNAL;
        }
    }

    /** Returns the path that a receiver reported; empty if it is no valid path on this host. */
    private static Optional<Path> path(String reported) {
        try {
            return Optional.of(Path.of(reported));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns a sentence for each host about which files of the session it keeps. The caller prints the path of the
     * session after the last one.
     */
    private static String keptFiles(Endpoint receiver, Session session) {
        Set<Path> directories = session.runs().stream()
                .map(RunDirectory::record)
                .filter(Objects::nonNull)
                .map(SweepOutput::otherSide)
                .filter(Objects::nonNull)
                .map(side -> side.metadata(KeptFiles.class))
                .filter(Objects::nonNull)
                .flatMap(kept -> path(kept.directory()).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        String places = directories.stream()
                .map(directory -> directories.size() == 1 ? directory : directory.getParent())
                .distinct()
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
        return (places.isEmpty() ? "" : receiver + " keeps its own stamps in " + places + ".\n")
                + "This host keeps the stamps of both sides and the results:";
    }

    private static RunRecord.@Nullable Side otherSide(RunRecord run) {
        return StreamRole.directionOf(run.run().stream()) == StreamRole.Direction.BACKWARD
                ? run.sender()
                : run.receiver();
    }

    /**
     * Executes the runs of an experiment while it shows them.
     *
     * @throws LagbenchException also if the live page cannot be served
     */
    private ExitCode executeShown(Execution execution, PrintWriter out, PrintWriter err)
            throws LagbenchException, InterruptedException {
        GridPlan plan = new GridPlan(execution.experiment().groups(execution.seed()));
        if (!live.isGiven()) {
            return Sweep.execute(execution, plan, starter(execution, plan, out, err, null));
        }
        EventLog page = new EventLog(RECENT_SECONDS);
        try (LiveServer server = live.start(LivePage.SWEEP, Map.of(), page)) {
            Terminal.warnRoot(err, "the live page");
            err.println("Live page: " + server.address());
            return Sweep.execute(execution, plan, starter(execution, plan, out, err, page));
        }
    }

    /**
     * Returns what shows a sweep: on a terminal a progress bar, in a pipe lines; and events, as requested, on the
     * standard output and the live page.
     */
    private Progress.Starter starter(
            Execution execution, GridPlan plan, PrintWriter out, PrintWriter err, @Nullable EventLog page) {
        String name = execution.experiment().name();
        String session = execution.session().directory().toString();
        Progress own = lines;
        return (missing, remaining) -> {
            Progress progress = quiet || missing == 0
                    ? Progress.lines(err, true)
                    : own != null && !json && !brief && !jsonStream
                            ? own
                            : text(err, plan.all(), missing, remaining, page != null);
            if (jsonStream) {
                progress = new EventProgress(progress, out::println, out::println)
                        .begin(name, session, missing, remaining.get());
            }
            return page == null
                    ? progress
                    : new EventProgress(progress, page::keep, page::pass)
                            .begin(name, session, missing, remaining.get());
        };
    }

    /** Returns a progress with rows of runs as in the final table, all with the same columns. */
    private static Progress text(
            PrintWriter err, List<RunGroup> all, int missing, Supplier<Duration> remaining, boolean everySecond) {
        RunRows rows = new RunRows(all.stream()
                .flatMap(group -> group.runs().stream())
                .map(MeasuredPoint::of)
                .distinct()
                .toList());
        return Terminal.isStandardErrorCapable()
                ? new BarProgress(System.err, Terminal.errorColumns(), missing, remaining, rows, everySecond)
                : new LineProgress(err, missing, System::nanoTime, rows, everySecond);
    }
}
