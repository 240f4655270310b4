package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
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
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "--json, --json-stream and --brief all use the standard output; select one of them.");
        }
    }

    /** Makes the runs, writes the files of the summary and the report, and prints the summary. */
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
            out.append(text(TableFormat.JSON, summary, judged));
        } else if (brief) {
            BriefLines.of(summary).forEach(out::println);
        } else if (!progress.isQuiet() && !progress.printsEvents()) {
            out.append(text(TableFormat.TEXT, summary, judged));
            if (!summary.streams().isEmpty()) {
                out.append(TableView.of(View.STREAMS).result(summary).text(TableFormat.TEXT));
            }
            Endpoint receiver = execution.experiment().receiver();
            if (receiver != null) {
                out.println(KeptFiles.onReceiver(receiver, session));
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
            err.println(ReportFile.NAME + " cannot be made: " + e.getMessage() + " To try again: lagbench report "
                    + session.path());
            return e instanceof LagbenchException known ? known.exitCode() : ExitCode.INTERNAL;
        }
    }

    private String text(TableFormat format, Summary summary, RequirementReport judged) {
        return (requirements.isGiven() ? judged.addTo(format.result(summary)) : format.result(summary)).text(format);
    }
}
