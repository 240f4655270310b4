package org.lagbench.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.commandline.RunArguments;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.experiment.Experiment;
import org.lagbench.runner.sweep.Execution;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench run}: measures once, without an experiment file. */
@Listed(in = HelpSection.MEASURE, order = 0)
@Command(
        name = "run",
        abbreviateSynopsis = true,
        description = {
            "Measure the lag over one transport, on this machine or to a host where lagbench serve runs, and print the"
                    + " lag table.",
            "",
            "Keeps a session directory like a sweep. Each key of an experiment file is an option of the same name;"
                    + " docs/reference/experiment.md has their ranges."
        },
        footer = {
            "  lagbench run udp",
            "  lagbench run udp --size 992 --interval 125us --packets 10000",
            "  lagbench run udp 192.0.2.7 --size 1200 --rate 10mbit --duration 10s",
            "  lagbench run tcp 192.0.2.7 --flood --send-buffer 1MiB",
            "  lagbench run tcp 192.0.2.7 --reverse            packets come from there",
            "  LAGBENCH_KEY=... lagbench run udp 192.0.2.7 --interval 20ms --duration 30s"
        })
public final class RunCommand extends Subcommand {
    @Mixin
    private final RunArguments arguments = new RunArguments(Set.of());

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description = "Host where lagbench serve runs; port 5394 unless given. Without it, both sides run on this"
                    + " machine.")
    private @Nullable String host;

    @Mixin
    private final AddressFamilyOptions family = new AddressFamilyOptions();

    @Option(names = "--reverse", description = "The other side sends; the same as --direction backward.")
    private boolean reverse;

    @Option(names = "--bidirectional", description = "Both sides send at the same time; the same as --direction both.")
    private boolean bidirectional;

    @Mixin
    private final ExperimentArguments.JvmArguments jvm = new ExperimentArguments.JvmArguments();

    @Mixin
    private final SessionArguments session = new SessionArguments();

    @Mixin
    private final SweepOutput output = new SweepOutput();

    @Override
    public Integer call() throws LagbenchException, InterruptedException, IOException {
        output.check();
        Experiment experiment = arguments.experiment(jvm.reader(), pathValues());
        SweepOutput.Beginning beginning =
                () -> session.begin(null, experiment, ReceiverAccess.keyFor(experiment, shutdown()), false, shutdown());
        try (Execution execution = output.begin(beginning, out())) {
            return output.execute(execution, ObservationNotes.isObserveSet(arguments.given()), out(), err())
                    .code();
        }
    }

    @Override
    void addOptions(List<String> given) {
        arguments.addTo(commandLine().getCommandSpec(), given);
    }

    /** Returns the keys of the experiment that say where the packets go. */
    private List<String> pathValues() throws LagbenchException {
        List<String> values = new ArrayList<>();
        if (host != null) {
            values.add("receiver=" + family.choose(ReceiverAccess.endpoint("HOST[:PORT]", host)));
        }
        require(!reverse || !bidirectional, "Give --reverse or --bidirectional, not both.");
        if (reverse || bidirectional) {
            values.add("direction=" + (reverse ? "backward" : "both"));
        }
        return values;
    }
}
