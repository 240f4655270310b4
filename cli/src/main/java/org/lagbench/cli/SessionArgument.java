package org.lagbench.cli;

import java.nio.file.Path;
import org.lagbench.analysis.session.Session;
import org.lagbench.core.failure.LagbenchException;
import picocli.CommandLine.Parameters;

/** The directory of the commands that read captures. */
final class SessionArgument {
    @Parameters(paramLabel = "DIR", description = "The session directory, its runs directory, or that of one run.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Path directory;

    Path directory() {
        return directory;
    }

    Session open() throws LagbenchException {
        return Session.open(directory);
    }
}
