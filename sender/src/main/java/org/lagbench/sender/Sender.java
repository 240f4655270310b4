package org.lagbench.sender;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.commandline.ChronyOption;
import org.lagbench.core.commandline.ProgramCommandLine;
import org.lagbench.core.commandline.TransportNames;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.engine.Engine;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.MachinePolicy;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.ProgramEvent;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.SenderRequest;
import org.lagbench.core.run.StartGate;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The sender: makes one run with a receiver, and writes the captures of both sides and the record of the run. */
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
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the run is complete",
            "1:an internal error of lagbench",
            "2:invalid command line or setting",
            "3:the receiver cannot be reached, or refused the run",
            "4:the shared key is missing or does not fit",
            "5:this machine, or the receiver's, lacks what the transport needs",
            "6:the run broke; its stamps are kept",
            "7:a file cannot be read or written",
            "8:the clock bound is larger than --clock-max-error",
            "130:interrupted; the stamps are kept"
        })
public final class Sender implements Callable<Integer> {
    private final ShutdownCoordinator shutdown;

    @Option(
            names = "--receiver",
            paramLabel = "HOST:PORT",
            description = "Where the receiver listens (default: ${DEFAULT-VALUE}).")
    private String receiver = ReceiverConnection.DEFAULT_RECEIVER.toString();

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

    @Option(
            names = "--packet-bytes",
            paramLabel = "N",
            description = "Size of each packet with its 24-byte header, in bytes (default: ${DEFAULT-VALUE}).")
    private int packetBytes = 992;

    @Option(
            names = "--packets",
            paramLabel = "N",
            description = "Number of recorded packets (default: ${DEFAULT-VALUE}).")
    private long packets = 50_000;

    @Option(
            names = "--warm-up-packets",
            paramLabel = "N",
            description = "Number of unrecorded packets before them (default: ${DEFAULT-VALUE}).")
    private long warmUpPackets = 20_000;

    @Option(
            names = "--pace",
            paramLabel = "MODE[:TIME[:BURST]]",
            description = "flood, or sleep, spin or hybrid with the interval of packets: hybrid:125us; or with the"
                    + " interval of bursts and the packets of each: hybrid:40ms:12 (default: ${DEFAULT-VALUE}).")
    private String pace = "flood";

    @Mixin
    private final TrafficOptions traffic = new TrafficOptions();

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "Number of the repetition, stored in run.json (default: ${DEFAULT-VALUE}).")
    private int repeat = 1;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A setting of the transport or the engine; may be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--observe",
            paramLabel = "WHAT",
            description = "What both sides record in addition to stamps: causes, stages, causes,stages or nothing"
                    + " (default: ${DEFAULT-VALUE}).")
    private String observe = Observation.text(Observation.DEFAULT);

    @Option(
            names = "--jvm",
            paramLabel = "OPTIONS",
            description = "Additional options of the JVMs, stored in run.json (default: ${DEFAULT-VALUE}).")
    private String jvm = JvmOptions.DEFAULT;

    @Option(names = "--engine", paramLabel = "NAME", description = "The engine, as in an experiment; the same default.")
    private @Nullable String engineName;

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            description = "How long the receiver waits for late packets (default: ${DEFAULT-VALUE}).")
    private String drain = Intervals.format(RunParameters.DRAIN.defaultValue().toNanos());

    @Option(
            names = "--stall-timeout",
            paramLabel = "TIME",
            description = "Break the run after this time without progress (default: ${DEFAULT-VALUE}).")
    private String stallTimeout =
            Intervals.format(RunParameters.STALL_TIMEOUT.defaultValue().toNanos());

    @Mixin
    private final ChronyOption chrony = new ChronyOption();

    @Option(
            names = "--clock-max-error",
            paramLabel = "TIME",
            description = "Greatest clock bound with which the run starts (default: ${DEFAULT-VALUE}).")
    private String clockMaximumError =
            Intervals.format(ClockPolicy.DEFAULT.maximumError().toNanos());

    @Option(
            names = "--wait-for-clock",
            paramLabel = "TIME",
            description = "How long to wait for a small enough clock bound (default: ${DEFAULT-VALUE}).")
    private String waitForClock = "0s";

    @Option(
            names = "--accept-unsynchronized",
            description = "Start even if the clock bound is too large; every table is marked.")
    private boolean acceptUnsynchronized;

    @Option(
            names = "--print-intervals",
            hidden = true,
            description = "Print what the receiver recorded in each second, as JSON.")
    private boolean printIntervals;

    @Option(
            names = "--end-with-stdin",
            hidden = true,
            description = "End when the standard input ends, as it does when the parent process dies.")
    private boolean endWithStandardInput;

    Sender(ShutdownCoordinator shutdown) {
        this.shutdown = shutdown;
    }

    @Override
    public Integer call() throws LagbenchException {
        if (endWithStandardInput) {
            shutdown.endWithStandardInput();
        }
        Transport transport = Transports.load().named(transportName);
        Engines engines = Engines.load();
        Engine engine = engineName == null ? engines.defaultEngine() : engines.named(engineName);
        RunRequest request = new RunRequest(
                spec(transport, engine),
                Intervals.ofOption("--clock-max-error", clockMaximumError),
                MachinePolicy.DEFAULT.maximumOtherLoadPpm(),
                Intervals.ofOption("--wait-for-clock", waitForClock),
                acceptUnsynchronized);
        SenderConfig config = SenderConfig.of(
                request,
                ReceiverLink.to(Endpoint.ofOption("--receiver", receiver), SharedKey.find(keyFile)),
                dataHost,
                directory,
                chrony.client(),
                StartGate.OPEN,
                printIntervals,
                ProgramEvent::printText);
        new SenderRun(config, shutdown).make(this::print);
        return ExitCode.OK.code();
    }

    private RunSpec spec(Transport transport, Engine engine) throws LagbenchException {
        try {
            Point point = new Point(
                    transport.name(),
                    packetBytes,
                    packets,
                    warmUpPackets,
                    PaceOption.parse(pace),
                    traffic.spec(packets, packetBytes),
                    Settings.of(engine.settingsOver(transport), settings),
                    new Program(engine.name(), JvmOptions.parse(jvm)),
                    Observation.parse(observe),
                    new RunConditions(
                            Intervals.ofOption("--drain", drain), Intervals.ofOption("--stall-timeout", stallTimeout)));
            return new RunSpec(
                    name == null ? transportName + "-" + packetBytes + "-" + System.currentTimeMillis() : name,
                    point,
                    repeat,
                    null);
        } catch (IllegalArgumentException e) {
            throw new LagbenchException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private void print(RunRecord record) {
        RunRecord.Counts counts = record.counts();
        if (counts != null) {
            System.out.printf(
                    "%s: %d packets sent, %d received, %d lost, %d duplicated, %d reordered; kept in %s%n",
                    record.name(),
                    record.point().packets(),
                    counts.distinct(),
                    record.point().packets() - counts.distinct(),
                    counts.duplicated(),
                    counts.reordered(),
                    directory.resolve(record.name()));
        }
    }

    /** Runs the sender and exits. */
    public static void main(String[] arguments) {
        ShutdownCoordinator.run(shutdown -> SenderRequest.isRequested(arguments)
                ? new RequestedRuns(shutdown).makeAll()
                : commandLine(shutdown).execute(arguments));
    }

    static CommandLine commandLine(ShutdownCoordinator shutdown) {
        return ProgramCommandLine.of(new Sender(shutdown));
    }
}
