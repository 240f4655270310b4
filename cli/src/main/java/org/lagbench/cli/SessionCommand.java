package org.lagbench.cli;

import java.nio.file.Path;
import org.lagbench.analysis.session.Session;
import org.lagbench.core.failure.LagbenchException;
import picocli.CommandLine.Parameters;

/** A subcommand that reads the captures of a session. */
abstract class SessionCommand extends Subcommand {
    @Parameters(paramLabel = "DIR", description = "A session directory, its runs directory, or the directory of a run.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Path directory;

    final Path directory() {
        return directory;
    }

    /** Opens the session. From now on Ctrl-C ends the process at once, because all output can be made again. */
    final Session openSession() throws LagbenchException {
        shutdown().endAtOnce();
        return Session.open(directory);
    }
}
