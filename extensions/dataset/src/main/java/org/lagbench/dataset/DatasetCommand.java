package org.lagbench.dataset;

import java.nio.file.Path;
import java.util.List;
import org.lagbench.cli.HelpSection;
import org.lagbench.cli.LatestSession;
import org.lagbench.cli.Listed;
import org.lagbench.cli.Subcommand;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lagbench dataset}: adds sessions to a directory of Parquet files. */
@Listed(in = HelpSection.RESULTS, order = 55)
@Command(
        name = "dataset",
        description = {
            "Add sessions of sweeps, monitors and matrices to a dataset: a directory of Parquet files that query"
                    + " engines read.",
            "One file for each session and table. A session replaces its earlier files."
        },
        footer = {
            "  lagbench dataset fleet results/mesh-20260101T120000Z results/mesh-20260102T120000Z",
        })
public final class DatasetCommand extends Subcommand {
    @Parameters(index = "0", paramLabel = "DATASET", description = "The dataset, created if necessary.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Path dataset;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "DIR",
            description = "Session directories; results/latest is the newest session of results.")
    private List<Path> sessions = List.of();

    @Override
    public Integer call() throws LagbenchException {
        shutdown().onInterrupt(AtomicFile::deleteAllAtEnd);
        shutdown().endAtOnce();
        for (Path session : sessions) {
            Dataset.Added added = Dataset.add(dataset, LatestSession.resolve(session, err()));
            out().println(added.session() + " " + added.id() + ": " + added.rows() + " rows"
                    + (added.isReplaced() ? ", instead of those of its earlier export" : ""));
            added.excluded().forEach(run -> out().println("  not exported: " + run));
        }
        return ExitCode.OK.code();
    }
}
