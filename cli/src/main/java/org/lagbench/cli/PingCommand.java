package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.Traffic;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.runner.sweep.Execution;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench ping}: round trips, with a line for each reply while they are made. */
@Listed(in = HelpSection.MEASURE, order = 10)
@Command(
        name = "ping",
        abbreviateSynopsis = true,
        description = {
            "Measure the round trips of a few packets over UDP or TCP, on this machine or to a host where lagbench"
                    + " serve runs. Print a line for each reply, then the table of round trips with the lag of each"
                    + " direction.",
            "",
            "Keeps a session directory as lagbench run does, whose option --traffic round-trip has all settings."
        },
        footer = {
            "  lagbench ping 192.0.2.7",
            "  lagbench ping 192.0.2.7 -c 100 -i 20ms -s 1200",
            "  lagbench ping 192.0.2.7 --judge-by value --require 'loss <= 1 %%'"
        })
public final class PingCommand extends Subcommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description = "Host where lagbench serve runs; port 5394 unless given. Without it, both sides run on this"
                    + " machine.")
    private @Nullable String host;

    @Mixin
    private final AddressFamilyOptions family = new AddressFamilyOptions();

    @Option(
            names = {"-c", "--packets"},
            paramLabel = "NUMBER",
            description = "How many packets to send (default: ${DEFAULT-VALUE}).")
    private String packets = "10";

    @Option(
            names = {"-i", "--interval"},
            paramLabel = "TIME",
            description = "Time between two packets (default: ${DEFAULT-VALUE}).")
    private String interval = "1s";

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            description = "Size of a packet, without the headers of UDP or TCP and below (default: ${DEFAULT-VALUE}).")
    private String size = "64";

    @Option(
            names = {"-W", "--reply-timeout"},
            paramLabel = "TIME",
            description = "How long after a packet its reply is late (default: ${DEFAULT-VALUE}).")
    private String timeout = "1s";

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with that host's shared key (default: the variable " + SharedKey.VARIABLE + ").")
    private @Nullable Path keyFile;

    @Option(
            names = "--machine.max-other-load",
            paramLabel = "SHARE",
            description = "As this key of an experiment: the part of the CPU time of a host above which other programs"
                    + " spoil the round trips, so that no requirement is judged by them. 100%% accepts all.")
    private @Nullable String maximumOtherLoad;

    @Option(names = "--tcp", description = "Send over TCP instead of UDP.")
    private boolean tcp;

    private final Transports transports = Transports.load();
    private final Engines engines = Engines.load();

    @Mixin
    private final SessionArguments session = new SessionArguments();

    @Mixin
    private final SweepOutput output = new SweepOutput();

    @Override
    public Integer call() throws LagbenchException, InterruptedException, IOException {
        output.check();
        Duration replyTimeout = Durations.ofOption("--reply-timeout", timeout);
        ExperimentReader reader = new ExperimentReader(transports, engines);
        SweepOutput.Beginning beginning = () -> {
            Experiment experiment = build(reader, values());
            return session.begin(null, experiment, ReceiverAccess.keyFor(experiment, shutdown()), false, shutdown());
        };
        try (Execution execution = output.begin(beginning, out())) {
            String peer = host == null
                    ? "this machine"
                    : String.valueOf(execution.experiment().path().receiver());
            output.show(new ReplyLines(peer, replyTimeout, execution.session().runs(), out(), err()));
            return output.execute(execution, false, out(), err()).code();
        }
    }

    private static Experiment build(ExperimentReader reader, List<String> values) throws LagbenchException {
        try {
            return reader.build("ping", values);
        } catch (LagbenchException e) {
            String asTyped = String.valueOf(e.getMessage())
                    .replaceAll("(?m)^(?:pace\\.)?(packets|interval|reply-timeout):", "--$1:")
                    .replaceAll("(?m)^packet-bytes:", "--size:");
            throw e.exitCode().failure(asTyped, e);
        }
    }

    private List<String> values() throws LagbenchException {
        Transport transport = transports.plain(tcp ? Wire.TCP : Wire.UDP);
        List<String> values = new ArrayList<>(List.of(
                "transports=" + transport.name(),
                "engine=" + engine(transport),
                "traffic=" + Traffic.ROUND_TRIP.text(),
                "in-flight=unlimited",
                "packets=" + packets,
                "warm-up-packets=0",
                "pace.interval=" + interval,
                "packet-bytes=" + size,
                "reply-timeout=" + timeout));
        if (host != null) {
            values.add("receiver=" + family.choose(ReceiverAccess.endpoint("HOST[:PORT]", host)));
        }
        if (keyFile != null) {
            values.add("key-file=" + keyFile);
        }
        if (maximumOtherLoad != null) {
            values.add("machine.max-other-load=" + maximumOtherLoad);
        }
        return values;
    }

    /** Returns an engine whose first packets are as fast as the later ones, if there is one, else the default. */
    private String engine(Transport transport) {
        return engines.all().stream()
                .filter(engine ->
                        engine.serves(transport, Traffic.ROUND_TRIP) && engine.unavailableReason(transport) == null)
                .min(Comparator.comparing(Engine::runsOnJvm))
                .orElse(engines.all().get(0))
                .name();
    }
}
