package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.report.table.Checks;
import picocli.CommandLine.Option;

/** The option for the verdicts of requirements and comparisons, and their exit code. */
final class CheckArguments {
    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "Write the verdicts as a JUnit report: missed or worse is a failure, undecided is skipped.")
    private @Nullable Path junit;

    boolean isGiven() {
        return junit != null;
    }

    /** Writes the report if requested, names the checks that fail on standard error, and returns the exit code. */
    ExitCode finish(Checks checks, PrintWriter err) throws LagbenchException {
        if (junit != null) {
            WholeFile.write(junit, checks.junit());
        }
        checks.failures().forEach(failure -> err.println("lagbench: " + failure));
        return checks.exitCode();
    }
}
