package org.lagbench.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.commandline.TransportNames;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.text.Units;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
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
    static final String SIZE_KEY = "packet-bytes";
    static final int DEFAULT_PACKET_BYTES = 992;

    private static final String INTERVAL_KEY = "pace.interval";

    @Parameters(
            index = "0",
            paramLabel = "TRANSPORT",
            completionCandidates = TransportNames.class,
            description = "${COMPLETION-CANDIDATES}; or several: tcp,udp.")
    private String transport = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description = "Host where lagbench serve runs; port 5394 unless given. Without it, both sides run on this"
                    + " machine.")
    private @Nullable String host;

    @Mixin
    private final AddressFamilyOptions family = new AddressFamilyOptions();

    @Option(names = "--flood", description = "Send as fast as the network accepts packets; the same as --mode flood.")
    private boolean flood;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Send packets of this many bits per second on each stream, instead of one each --interval:"
                    + " 10mbit.")
    private @Nullable String rate;

    @Option(names = "--reverse", description = "The other side sends; the same as --direction backward.")
    private boolean reverse;

    @Option(names = "--bidirectional", description = "Both sides send at the same time; the same as --direction both.")
    private boolean bidirectional;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Record the packets of this time instead of a number of packets: 30s.")
    private @Nullable String duration;

    @Mixin
    private final ExperimentArguments.JvmArguments jvm = new ExperimentArguments.JvmArguments();

    @Mixin
    private final SessionArguments session = new SessionArguments();

    @Mixin
    private final SweepOutput output = new SweepOutput();

    @Override
    public Integer call() throws LagbenchException, InterruptedException, IOException {
        output.check();
        ExperimentReader reader = jvm.reader();
        List<String> values = values();
        Experiment planned = build(reader, values);
        if (rate != null) {
            values.add(INTERVAL_KEY + "=" + intervalNs(rate, planned, values) + "ns");
            planned = build(reader, values);
        }
        if (duration != null) {
            values.add("packets=" + packets(duration, planned, values));
            planned = build(reader, values);
        }
        Experiment experiment = planned;
        SweepOutput.Beginning beginning =
                () -> session.begin(null, experiment, ReceiverAccess.keyFor(experiment, shutdown()), false, shutdown());
        try (Execution execution = output.begin(beginning, out())) {
            return output.execute(execution, ObservationNotes.isObserveSet(values), out(), err())
                    .code();
        }
    }

    private Experiment build(ExperimentReader reader, List<String> values) throws LagbenchException {
        try {
            return reader.build(commandLine().getCommandName(), values);
        } catch (LagbenchException e) {
            throw e.exitCode()
                    .failure(
                            new ExperimentOptions()
                                    .asTyped(
                                            String.valueOf(e.getMessage()),
                                            commandLine().getParseResult(),
                                            transport),
                            e);
        }
    }

    private String transports() {
        return transport.contains(",") && !transport.startsWith("[") ? "[" + transport + "]" : transport;
    }

    /** Returns the keys of the experiment with their values. */
    private List<String> values() throws LagbenchException {
        List<String> given = new ExperimentOptions().given(commandLine().getParseResult(), transport);
        List<String> values = new ArrayList<>(List.of("transports=" + transports()));
        if (!given.contains("traffic=" + Traffic.TRANSFER.text())) {
            values.add(SIZE_KEY + "=" + DEFAULT_PACKET_BYTES);
        }
        if (host != null) {
            values.add("receiver=" + family.choose(ReceiverAccess.endpoint("HOST[:PORT]", host)));
        }
        values.addAll(given);
        if (flood) {
            values.add("pace.mode=" + Pace.Mode.FLOOD.text());
        }
        require(!reverse || !bidirectional, "Give --reverse or --bidirectional, not both.");
        if (reverse || bidirectional) {
            values.add("direction=" + (reverse ? "backward" : "both"));
        }
        return values;
    }

    /** Returns the interval at which packets, or bursts, have a rate. */
    private static long intervalNs(String rate, Experiment experiment, List<String> values) throws LagbenchException {
        Pace pace = experiment.axes().paces().get(0);
        List<Integer> sizes = experiment.packetBytes(experiment.traffics().get(0));
        require(
                values.stream().noneMatch(value -> value.startsWith(INTERVAL_KEY + "=")),
                "Give --rate or --interval, not both.");
        require(pace.mode() != Pace.Mode.FLOOD, "--rate: a flood has no rate; leave out --rate or the flood.");
        require(
                sizes.size() == 1,
                "--rate: give one --size, as the interval depends on it, and run it once for each size.");
        long burstBits = 8L * sizes.get(0) * pace.burst();
        try {
            long intervalNs = Math.round(burstBits * 1e9 / Quantities.parseRate(rate));
            return Quantities.within(intervalNs, RunParameters.MINIMUM_INTERVAL_NS, RunParameters.MAXIMUM_INTERVAL_NS);
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure(
                    "--rate: " + rate + " is not accepted; it takes a rate such as 10mbit, at which "
                            + burstBits / 8 + " bytes take " + Durations.format(RunParameters.MINIMUM_INTERVAL_NS)
                            + " to " + Durations.format(RunParameters.MAXIMUM_INTERVAL_NS) + ".",
                    e);
        }
    }

    private static long packets(String duration, Experiment experiment, List<String> values) throws LagbenchException {
        Pace pace = experiment.axes().paces().get(0);
        Duration length = Durations.ofOption("--duration", duration);
        require(
                values.stream().noneMatch(value -> value.startsWith("packets=")),
                "Give --packets or --duration, not both.");
        if (pace.mode() == Pace.Mode.FLOOD) {
            int bytes = experiment.packetBytes(experiment.traffics().get(0)).get(0);
            throw ExitCode.USAGE.failure("--duration: a flood sends a number of packets, however long it takes. At 1"
                    + " Gbit/s, " + duration + " is --packets "
                    + IperfArguments.floodPackets(length.toNanos() / Units.NS_PER_S, bytes) + ".");
        }
        long packets = pace.packetsIn(length.toNanos());
        require(
                packets <= RunParameters.MAXIMUM_PACKETS,
                "--duration: " + duration + " takes " + packets + " packets, and a run has at most "
                        + RunParameters.MAXIMUM_PACKETS + "; give a shorter --duration or a longer --interval.");
        return packets;
    }
}
