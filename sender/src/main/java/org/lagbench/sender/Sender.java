package org.lagbench.sender;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.lagbench.commandline.ProgramCommandLine;
import org.lagbench.commandline.RunArguments;
import org.lagbench.control.SideMessage;
import org.lagbench.control.SidePipe;
import org.lagbench.control.SideRequests;
import org.lagbench.control.StartGate;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.experiment.NetworkPath;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The sender: executes one run with a receiver, and writes the captures of both sides and the record of the run. */
@Command(
        name = "sender",
        description = "Send the packets of one run to a lagbench receiver and keep the stamps of both sides.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        abbreviateSynopsis = true,
        footer = {
            "  scripts/sender udp --size 992 --packets 50000",
            "  scripts/sender tcp 192.0.2.7 --key-file ~/lagbench.key --send-buffer 64KiB",
            "  scripts/lagbench table runs"
        })
public final class Sender implements Callable<Integer> {
    /** Keys of several runs, and of what this program does not start. */
    private static final Set<String> WITHOUT_OPTION =
            Set.of("name", "repeats", "seed", "direction", "parallel", "lab", "jvm");

    private final ShutdownCoordinator shutdown;

    @Mixin
    private final RunArguments arguments = new RunArguments(WITHOUT_OPTION);

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description = "Where the receiver listens (default: ${DEFAULT-VALUE}).")
    private String receiver = Endpoint.DEFAULT_RECEIVER.toString();

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Parent of the run's directory (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of("runs");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the run's directory (default: transport, size and time).")
    private @Nullable String name;

    @Option(
            names = "--wait-for-clock",
            paramLabel = "TIME",
            description = "How long to wait for a small enough clock bound (default: ${DEFAULT-VALUE}).")
    private String waitForClock = "0s";

    @Option(
            names = "--accept-unsynchronized",
            description = "Start even if the clock bound is too large; every table is marked.")
    private boolean acceptUnsynchronized;

    Sender(ShutdownCoordinator shutdown) {
        this.shutdown = shutdown;
    }

    @Override
    public Integer call() throws LagbenchException {
        Endpoint listening = Endpoint.ofOption("HOST[:PORT]", receiver, Endpoint.DEFAULT_RECEIVER.port());
        Experiment experiment = arguments.experiment(
                new ExperimentReader(Transports.load(), Engines.load()), List.of("receiver=" + listening));
        if (experiment.runCount() != 1) {
            throw ExitCode.USAGE.failure("A sender sends one run: give each option a single value.");
        }
        Point point = experiment.runs(0).get(0).point();
        String runName =
                name == null ? point.transport() + "-" + point.packetBytes() + "-" + System.currentTimeMillis() : name;
        NetworkPath path = experiment.path();
        RunRequest request = new RunRequest(
                spec(runName, point),
                path.clock().maximumError(),
                path.machine().maximumOtherLoadPpm(),
                Durations.ofOption("--wait-for-clock", waitForClock),
                acceptUnsynchronized);
        SenderConfig config = new SenderConfig(
                request,
                new ReceiverLink.Connecting(listening, SharedKey.find(path.keyFile()), path.local(), false, shutdown),
                path.dataHost(),
                path.local(),
                directory,
                new ChronyClient(path.clock().chrony().resolve()),
                StartGate.OPEN,
                false,
                SidePipe::printText);
        AtomicLong arrived = new AtomicLong();
        new SenderRun(config, shutdown).execute(record -> arrived.set(print(record)));
        return (arrived.get() == 0 ? ExitCode.BROKEN : ExitCode.OK).code();
    }

    private RunSpec spec(String runName, Point point) throws LagbenchException {
        try {
            return new RunSpec(runName, point, 1, null);
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure(String.valueOf(e.getMessage()), e);
        }
    }

    /** Prints the counts of a run, and returns how many packets arrived. */
    private long print(RunRecord record) {
        RunRecord.Counts counts = record.counts();
        if (counts == null) {
            return 0;
        }
        System.out.printf(
                "%s: %d packets sent, %d received, %d lost, %d duplicated, %d reordered; kept in %s%n",
                record.name(),
                record.point().packets(),
                counts.distinct(),
                record.point().packets() - counts.distinct(),
                counts.duplicated(),
                counts.reordered(),
                directory.resolve(record.name()));
        return counts.distinct();
    }

    /** Runs the sender and exits. */
    public static void main(String[] arguments) {
        ShutdownCoordinator.run(shutdown -> SideRequests.areRequested(arguments)
                ? new SideRequests(shutdown).executeAll((request, gate) -> execute(request, gate, shutdown))
                : commandLine(shutdown, arguments).execute(arguments));
    }

    private static ExitCode execute(SideMessage.Request request, StartGate startGate, ShutdownCoordinator shutdown)
            throws LagbenchException {
        SenderConfig config;
        if (request instanceof SideMessage.Send send) {
            config = new SenderConfig(
                    send.run().request(),
                    new ReceiverLink.Connecting(
                            send.receiver(), send.run().key(), send.local(), send.probes(), shutdown),
                    send.dataHost(),
                    send.local(),
                    Path.of(send.run().directory()),
                    send.run().chronyClient(),
                    startGate,
                    send.reportsIntervals(),
                    SidePipe::print);
        } else if (request instanceof SideMessage.SendToRequester send) {
            config = new SenderConfig(
                    send.run().request(),
                    new ReceiverLink.Accepting(
                            send.listen(),
                            new Endpoint(send.receiverHost(), 0).resolve().getAddress(),
                            send.run().key(),
                            send.keepsFiles(),
                            shutdown),
                    null,
                    send.local(),
                    Path.of(send.run().directory()),
                    send.run().chronyClient(),
                    startGate,
                    false,
                    SidePipe::print);
        } else {
            throw new IllegalArgumentException("a sender cannot " + request);
        }
        new SenderRun(config, shutdown).execute(record -> {});
        return ExitCode.OK;
    }

    static CommandLine commandLine(ShutdownCoordinator shutdown, String... given) {
        Sender sender = new Sender(shutdown);
        CommandLine commandLine = ProgramCommandLine.of(sender);
        sender.arguments.addTo(commandLine.getCommandSpec(), List.of(given));
        return commandLine;
    }
}
