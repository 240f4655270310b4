package org.lagbench.cli;

import java.io.IOException;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.runner.sweep.Execution;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench sweep}: executes all runs of an experiment. */
@Listed(in = HelpSection.MEASURE, order = 20)
@Command(
        name = "sweep",
        description = {
            "Execute all runs of an experiment, each with a new sender and receiver process, and print the lag table.",
            "",
            "A session directory keeps the experiment with all defaults, the environment, the stamps of both sides, and"
                    + " the summary. An interrupted sweep keeps its finished runs; --resume makes the others."
        },
        footer = {
            "  lagbench sweep configs/quickstart.yaml",
            "  lagbench sweep configs/quickstart.yaml --set repeats=5 --set 'transports=[tcp, udp]'",
            "  lagbench sweep configs/quickstart.yaml --set receiver=192.0.2.7:5394 --set key-file=lagbench.key",
            "  lagbench sweep --resume results/quickstart-20260101T120000Z"
        })
public final class SweepCommand extends Subcommand {
    @Mixin
    private final ExperimentArguments.JvmArguments jvm = new ExperimentArguments.JvmArguments();

    @Mixin
    private final ExperimentArguments arguments = new ExperimentArguments();

    @Option(
            names = "--skip-unavailable",
            description = "Skip runs whose engine or transport is missing on this machine or the receiver's, instead of"
                    + " failing; the table's notes name them.")
    private boolean skipUnavailable;

    @Mixin
    private final SweepOutput output = new SweepOutput();

    @Override
    public Integer call() throws LagbenchException, InterruptedException, IOException {
        output.check();
        try (Execution execution =
                output.begin(() -> arguments.begin(jvm.reader()::read, skipUnavailable, err(), shutdown()), out())) {
            return output.execute(execution, arguments.isObserveSet(), out(), err())
                    .code();
        }
    }
}
