package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.text.Endpoint;
import org.lagbench.report.page.ReportFile;
import org.lagbench.report.table.BriefLines;
import org.lagbench.report.table.RequirementReport;
import org.lagbench.report.table.SummaryFiles;
import org.lagbench.report.table.TableFormat;
import org.lagbench.report.table.TableView;
import org.lagbench.report.table.View;
import org.lagbench.runner.sweep.Execution;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the commands that execute an experiment, for what they print and write. */
final class SweepOutput {
    @Mixin
    private final ProgressArguments progress = new ProgressArguments();

    @Option(names = "--json", description = "Print the summary as JSON instead of the table.")
    private boolean json;

    @Option(names = "--brief", description = "Print one line for each point instead of the tables.")
    private boolean brief;

    @Mixin
    private final RequireArguments requirements = new RequireArguments();

    @Option(names = "--no-report", description = "Do not make " + ReportFile.NAME + "; lagbench report makes it later.")
    private boolean noReport;

    /** Checks the options before there is a session. */
    void check() throws LagbenchException {
        requirements.check();
        if ((json ? 1 : 0) + (brief ? 1 : 0) + (progress.printsEvents() ? 1 : 0) > 1) {
            throw ExitCode.USAGE.failure(
                    "--json, --json-stream and --brief all use the standard output; select one of them.");
        }
    }

    /** Executes the runs, writes the files of the summary and the report, and prints the summary. */
    ExitCode execute(Execution execution, PrintWriter out, PrintWriter err)
            throws LagbenchException, InterruptedException, IOException {
        ExitCode exitCode = progress.execute(execution, out, err);
        if (exitCode == ExitCode.INTERRUPTED) {
            return exitCode;
        }
        ExitCode reported = execution.session().hasCompleteRun()
                ? report(execution, out, err)
                : requirements.finish(requirements.judge(withoutRuns(execution)), err);
        return exitCode == ExitCode.OK ? reported : exitCode;
    }

    private static Summary withoutRuns(Execution execution) {
        String name = String.valueOf(execution.session().directory().getFileName());
        return new Summary(name, false, List.of(), List.of(), List.of());
    }

    private ExitCode report(Execution execution, PrintWriter out, PrintWriter err)
            throws LagbenchException, IOException {
        Session session = Session.open(execution.session().directory());
        Summary summary = Summaries.of(session, SummaryOptions.DEFAULT);
        SummaryFiles.write(session.path(), summary);
        RequirementReport judged = requirements.judge(summary);
        if (json) {
            out.append(requirements.text(TableFormat.JSON.result(summary), judged, TableFormat.JSON));
        } else if (brief) {
            BriefLines.of(summary).forEach(out::println);
        } else if (!progress.isQuiet() && !progress.printsEvents()) {
            out.append(requirements.text(TableFormat.TEXT.result(summary), judged, TableFormat.TEXT));
            if (!summary.streams().isEmpty()) {
                out.append(TableView.of(View.STREAMS).result(summary).text(TableFormat.TEXT));
            }
            Endpoint receiver = execution.experiment().receiver();
            if (receiver != null) {
                out.println(keptFiles(receiver, session));
            }
            out.println("Session: " + session.path());
        }
        out.flush();
        ExitCode checked = requirements.finish(judged, err);
        if (noReport) {
            return checked;
        }
        try {
            ReportFile.write(session.path().resolve(ReportFile.NAME), session, summary);
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
                .map(side -> side.metadata().get(RunRecord.Side.DIRECTORY))
                .filter(String.class::isInstance)
                .flatMap(directory -> path((String) directory).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        String places = directories.stream()
                .map(directory -> directories.size() == 1 ? directory : directory.getParent())
                .distinct()
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
        return receiver + " keeps its own stamps in " + places + ".\n"
                + "This host keeps the stamps of both sides and the results:";
    }

    private static RunRecord.@Nullable Side otherSide(RunRecord run) {
        return StreamRole.directionOf(run.run().stream()) == StreamRole.Direction.BACKWARD
                ? run.sender()
                : run.receiver();
    }
}
