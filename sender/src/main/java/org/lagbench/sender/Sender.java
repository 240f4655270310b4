package org.lagbench.sender;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.commandline.ChronyOption;
import org.lagbench.core.commandline.ProgramCommandLine;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.engine.Engine;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.engine.Traffic;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.registry.TextEnum;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.time.Intervals;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.transport.PacketTransport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The sender: makes one run with a receiver and keeps both captures and the record of the run. */
@Command(
        name = "sender",
        description = "Sends the packets of one run to a lagbench receiver and keeps both sides' stamps.",
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
            "1:an error in lagbench",
            "2:wrong command line or setting",
            "3:the receiver could not be reached, or refused the run",
            "4:the shared key is missing or wrong",
            "5:this machine, or the receiver's, lacks what the transport needs",
            "6:the run broke off; the stamps so far are kept",
            "7:a file could not be read or written",
            "8:the clocks may be further apart than --clock-max-error",
            "130:interrupted; the stamps so far are kept"
        })
public final class Sender implements Callable<Integer> {
    private final ShutdownCoordinator interruption;

    @Option(
            names = "--receiver",
            paramLabel = "HOST:PORT",
            description = "Where the receiver listens (default: ${DEFAULT-VALUE}).")
    private String receiver = ReceiverConnection.DEFAULT_RECEIVER.toString();

    @Option(names = "--key-file", paramLabel = "FILE", description = "The key that the receiver has too.")
    private @Nullable Path keyFile;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where the run's directory is made (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of("runs");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the run's directory (default: transport, size and time).")
    private @Nullable String name;

    @Option(names = "--transport", paramLabel = "NAME", required = true, description = "tcp, udp or ieee1394.")
    private String transportName = "";

    @Option(
            names = "--packet-bytes",
            paramLabel = "N",
            description = "Size of each packet with its 24-byte header, in bytes (default: ${DEFAULT-VALUE}).")
    private int packetBytes = 992;

    @Option(
            names = "--packets",
            paramLabel = "N",
            description = "How many packets are recorded (default: ${DEFAULT-VALUE}).")
    private long packets = 50_000;

    @Option(
            names = "--warm-up-packets",
            paramLabel = "N",
            description = "How many packets go before them, unrecorded (default: ${DEFAULT-VALUE}).")
    private long warmUpPackets = 20_000;

    @Option(
            names = "--pace",
            paramLabel = "MODE[:TIME[:BURST]]",
            description = "flood, or sleep, spin or hybrid with the time between packets: hybrid:125us; or"
                    + " between bursts, and the packets of each: hybrid:40ms:12"
                    + " (default: ${DEFAULT-VALUE}).")
    private String pace = "flood";

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "Which repetition this is, for the record (default: ${DEFAULT-VALUE}).")
    private int repeat = 1;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A setting of the transport; may be given more than once.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--observe",
            paramLabel = "WHAT",
            description = "What both sides record beside the stamps: causes, stages, causes,stages or nothing"
                    + " (default: ${DEFAULT-VALUE}).")
    private String observe = Observation.text(Observation.DEFAULT);

    @Option(
            names = "--jvm",
            paramLabel = "OPTIONS",
            description = "What the JVMs were given beyond the usual, for the record (default: ${DEFAULT-VALUE}).")
    private String jvm = JvmOptions.DEFAULT;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            description = "What sends and receives the packets: java, java-nio or c (default: java).")
    private @Nullable String engineName;

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            description = "How long the receiver waits for stragglers (default: ${DEFAULT-VALUE}).")
    private String drain = Intervals.format(RunSpec.DEFAULT_DRAIN.toNanos());

    @Option(
            names = "--stall-timeout",
            paramLabel = "TIME",
            description = "After how long without progress the run is given up (default: ${DEFAULT-VALUE}).")
    private String stallTimeout = Intervals.format(RunSpec.DEFAULT_STALL_TIMEOUT.toNanos());

    @Mixin
    private final ChronyOption chrony = new ChronyOption();

    @Option(
            names = "--clock-max-error",
            paramLabel = "TIME",
            description = "The run does not begin while a lag may be off by more because of the clocks"
                    + " (default: ${DEFAULT-VALUE}).")
    private String clockMaximumError =
            Intervals.format(ClockPolicy.DEFAULT.maximumError().toNanos());

    @Option(
            names = "--wait-for-clock",
            paramLabel = "TIME",
            description = "How long to wait for the clocks to come close enough (default: ${DEFAULT-VALUE}).")
    private String waitForClock = "0s";

    @Option(
            names = "--accept-unsynchronized",
            description = "Begin even if the clocks are not close enough, and have every table marked.")
    private boolean acceptUnsynchronized;

    @Option(
            names = "--stream",
            hidden = true,
            paramLabel = "NAME",
            description = "Which stream of several this is, for the record.")
    private @Nullable String stream;

    @Option(
            names = "--direction",
            hidden = true,
            paramLabel = "WAY",
            description = "Which way that stream goes, for the record: forward or backward.")
    private String direction = StreamRole.Direction.FORWARD.text();

    @Option(
            names = "--beside",
            hidden = true,
            paramLabel = "NAMES",
            split = ",",
            description = "Which streams are sent at the same time, with commas between them, for the record.")
    private List<String> beside = new ArrayList<>();

    @Option(
            names = "--wait-for-start",
            hidden = true,
            description = "When warm, say " + StartGate.READY + " and wait for the line \"start NS\" on the standard"
                    + " input: when the first recorded packet is due, in ns since the epoch. End when the input does.")
    private boolean waitForStart;

    @Option(
            names = "--tell-progress",
            hidden = true,
            description = "Print once a second how many packets have been sent, and how many a second.")
    private boolean tellProgress;

    @Option(
            names = "--end-with-stdin",
            hidden = true,
            description = "End when the standard input ends, as when the parent process dies.")
    private boolean endWithStandardInput;

    Sender(ShutdownCoordinator interruption) {
        this.interruption = interruption;
    }

    @Override
    public Integer call() throws LagbenchException {
        StartGate startGate = waitForStart ? StartGate.waiting() : StartGate.OPEN;
        if (endWithStandardInput || waitForStart) {
            interruption.endWithStandardInput(startGate::hear);
        }
        Transport transport = Transports.load().named(transportName);
        Engines engines = Engines.load();
        Engine engine = engineName == null ? engines.defaultEngine() : engines.named(engineName);
        RunSpec spec = spec(transport, engine);
        engines.check(engine, transport, Traffic.ONE_WAY, spec.observe());
        SharedKey key = keyFile == null ? null : SharedKey.read(keyFile);
        RunRecord record = new SenderRun(
                        spec,
                        PacketTransport.of(transport),
                        PacketEngine.of(engine),
                        Endpoint.ofOption("--receiver", receiver),
                        key,
                        directory,
                        clockGate(),
                        chrony.client(),
                        startGate,
                        interruption,
                        tellProgress)
                .make();
        tell(record);
        return ExitCode.OK.code();
    }

    private ClockGate clockGate() throws LagbenchException {
        return new ClockGate(
                Intervals.ofOption("--clock-max-error", clockMaximumError),
                Intervals.ofOption("--wait-for-clock", waitForClock),
                acceptUnsynchronized);
    }

    private RunSpec spec(Transport transport, Engine engine) throws LagbenchException {
        try {
            JvmOptions jvmOptions = JvmOptions.parse(jvm);
            if (!engine.runsOnJvm() && !jvmOptions.equals(JvmOptions.NONE)) {
                throw new IllegalArgumentException("--jvm: the engine " + engine.name() + " has no JVM.");
            }
            return new RunSpec(
                    name == null ? defaultName() : name,
                    transport.name(),
                    packetBytes,
                    packets,
                    warmUpPackets,
                    PaceOption.parse(pace),
                    repeat,
                    Settings.of(transport.settings(), settings),
                    new Program(engine.name(), jvmOptions),
                    Observation.parse(observe),
                    stream == null
                            ? null
                            : new StreamRole(
                                    stream,
                                    TextEnum.parse(StreamRole.Direction.class, "--direction", direction),
                                    beside),
                    Intervals.ofOption("--drain", drain),
                    Intervals.ofOption("--stall-timeout", stallTimeout));
        } catch (IllegalArgumentException e) {
            throw new LagbenchException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private String defaultName() {
        return transportName + "-" + packetBytes + "-" + System.currentTimeMillis();
    }

    private void tell(RunRecord record) {
        RunRecord.Counts counts = record.counts();
        if (counts != null) {
            System.out.printf(
                    "%s: %d packets sent, %d received, %d lost, %d duplicated, %d reordered; kept in %s%n",
                    record.name(),
                    record.packets(),
                    counts.distinct(),
                    record.packets() - counts.distinct(),
                    counts.duplicated(),
                    counts.reordered(),
                    directory.resolve(record.name()));
        }
    }

    /** Starts the sender; ends the process. */
    public static void main(String[] arguments) {
        ShutdownCoordinator.run(interruption -> commandLine(interruption).execute(arguments));
    }

    /** The command line of a sender. */
    static CommandLine commandLine(ShutdownCoordinator interruption) {
        return ProgramCommandLine.of(new Sender(interruption));
    }
}
