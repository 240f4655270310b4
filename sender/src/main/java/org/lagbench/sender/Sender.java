package org.lagbench.sender;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.lagbench.commandline.ChronyOption;
import org.lagbench.commandline.ProgramCommandLine;
import org.lagbench.commandline.TransportNames;
import org.lagbench.control.SideMessage;
import org.lagbench.control.SidePipe;
import org.lagbench.control.SideRequests;
import org.lagbench.control.StartGate;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.MachinePolicy;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.text.Endpoint;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The sender: executes one run with a receiver, and writes the captures of both sides and the record of the run. */
@Command(
        name = "sender",
        description = "Send the packets of one run to a lagbench receiver and keep the stamps of both sides.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  scripts/sender --transport udp --packet-bytes 992 --packets 50000",
            "  scripts/sender --receiver 192.0.2.7:5394 --key-file ~/lagbench.key \\",
            "      --transport tcp --pace hybrid:125us --set send-buffer=64KiB",
            "  scripts/lagbench table runs"
        })
public final class Sender implements Callable<Integer> {
    private final ShutdownCoordinator shutdown;

    @Option(
            names = "--receiver",
            paramLabel = "HOST:PORT",
            description = "Where the receiver listens (default: ${DEFAULT-VALUE}).")
    private String receiver = Endpoint.DEFAULT_RECEIVER.toString();

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description =
                    "File with the shared key of the receiver (default: the variable " + SharedKey.VARIABLE + ").")
    private @Nullable Path keyFile;

    @Option(
            names = "--data-host",
            paramLabel = "HOST",
            description = "The receiver's address for packets (default: that of the control connection).")
    private @Nullable String dataHost;

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
            names = "--transport",
            paramLabel = "NAME",
            required = true,
            completionCandidates = TransportNames.class,
            description = "${COMPLETION-CANDIDATES}.")
    private String transportName = "";

    private final RunOptions options = new RunOptions();

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "Repeat number, stored in run.json (default: ${DEFAULT-VALUE}).")
    private int repeat = 1;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A setting of the transport or the engine; may be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Mixin
    private final ChronyOption chrony = new ChronyOption();

    @Option(
            names = "--clock-max-error",
            paramLabel = "TIME",
            description = "Largest clock bound at which the run starts (default: ${DEFAULT-VALUE}).")
    private String clockMaximumError =
            Durations.format(ClockPolicy.DEFAULT.maximumError().toNanos());

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
        Transport transport = Transports.load().named(transportName);
        Point point = options.point(transport.name(), settings);
        String runName =
                name == null ? transportName + "-" + point.packetBytes() + "-" + System.currentTimeMillis() : name;
        RunRequest request = new RunRequest(
                spec(runName, point),
                Durations.ofOption("--clock-max-error", clockMaximumError),
                MachinePolicy.DEFAULT.maximumOtherLoadPpm(),
                Durations.ofOption("--wait-for-clock", waitForClock),
                acceptUnsynchronized);
        SenderConfig config = new SenderConfig(
                request,
                new ReceiverLink.Connecting(
                        Endpoint.ofOption("--receiver", receiver),
                        SharedKey.find(keyFile),
                        LocalEnd.ANY,
                        false,
                        shutdown),
                dataHost,
                LocalEnd.ANY,
                directory,
                chrony.client(),
                StartGate.OPEN,
                false,
                SidePipe::printText);
        AtomicLong arrived = new AtomicLong();
        new SenderRun(config, shutdown).execute(record -> arrived.set(print(record)));
        return (arrived.get() == 0 ? ExitCode.BROKEN : ExitCode.OK).code();
    }

    private RunSpec spec(String runName, Point point) throws LagbenchException {
        try {
            return new RunSpec(runName, point, repeat, null);
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
                : commandLine(shutdown).execute(arguments));
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

    static CommandLine commandLine(ShutdownCoordinator shutdown) {
        Sender sender = new Sender(shutdown);
        CommandLine commandLine = ProgramCommandLine.of(sender);
        sender.options.addTo(commandLine.getCommandSpec());
        return commandLine;
    }
}
