package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.page.ReportFile;
import org.lagbench.report.table.BriefLines;
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

    @Option(names = "--no-report", description = "Do not make " + ReportFile.NAME + "; lagbench report makes it later.")
    private boolean noReport;

    /** Makes the runs, writes the files of the summary and the report, and prints the summary. */
    ExitCode execute(Execution execution, PrintWriter out, PrintWriter err)
            throws LagbenchException, InterruptedException, IOException {
        if ((json ? 1 : 0) + (brief ? 1 : 0) + (progress.printsEvents() ? 1 : 0) > 1) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "--json, --json-stream and --brief all use the standard output; select one of them.");
        }
        ExitCode exitCode = progress.execute(execution, out, err);
        if (exitCode == ExitCode.INTERRUPTED || !execution.session().hasCompleteRun()) {
            return exitCode;
        }
        ExitCode reported = report(execution, out, err);
        return exitCode == ExitCode.OK ? reported : exitCode;
    }

    private ExitCode report(Execution execution, PrintWriter out, PrintWriter err)
            throws LagbenchException, IOException {
        Session session = Session.open(execution.session().directory());
        Summary summary = Summaries.of(session, SummaryOptions.DEFAULT);
        SummaryFiles.write(session.path(), summary);
        if (json) {
            out.append(TableFormat.JSON.text(summary));
        } else if (brief) {
            BriefLines.of(summary).forEach(out::println);
        } else if (!progress.isQuiet() && !progress.printsEvents()) {
            out.append(TableFormat.TEXT.text(summary));
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
        if (noReport) {
            return ExitCode.OK;
        }
        try {
            ReportFile.write(session.path().resolve(ReportFile.NAME), session, summary);
            return ExitCode.OK;
        } catch (LagbenchException | RuntimeException e) {
            err.println(ReportFile.NAME + " cannot be made: " + e.getMessage() + " To try again: lagbench report "
                    + session.path());
            return e instanceof LagbenchException known ? known.exitCode() : ExitCode.INTERNAL;
        }
    }
}
