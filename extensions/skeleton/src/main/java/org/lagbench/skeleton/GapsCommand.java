package org.lagbench.skeleton;

import java.nio.file.Path;
import java.util.Set;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.cli.HelpSection;
import org.lagbench.cli.LatestSession;
import org.lagbench.cli.Listed;
import org.lagbench.cli.Subcommand;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lagbench gaps}: prints the number of gaps of each point. */
@Listed(in = HelpSection.RESULTS, order = 900)
@Command(
        name = "gaps",
        description = "Count the gaps of more than " + Gaps.LONGER_THAN_MS
                + " ms in the arrivals of each point of a session.",
        footer = "  lagbench gaps results/quickstart-20260101T120000Z")
public final class GapsCommand extends Subcommand {
    @Parameters(paramLabel = "DIR", description = "The session directory.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Path directory;

    @Override
    public Integer call() throws LagbenchException {
        Session session = Session.open(LatestSession.resolve(directory, err()));
        SummaryOptions options = new SummaryOptions(Set.of(GapsGroup.GAPS));
        for (PointSummary point : Summaries.of(session, options).points()) {
            Gaps gaps = point.pooled().require(GapsGroup.GAPS);
            out().println(point.point().packetBytes() + " bytes: " + gaps.count() + " gaps");
        }
        return ExitCode.OK.code();
    }
}
