package org.lagbench.commandline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The arguments of a program that measures over one transport, without an experiment file: the transport, the keys of
 * an experiment, and other words for the pace and the length. A picocli mixin.
 */
public final class RunArguments {
    static final String SIZE_KEY = "packet-bytes";
    static final int DEFAULT_PACKET_BYTES = 992;

    /** What a flood is assumed to send where its number of packets follows from a time. */
    private static final long FLOOD_BITS_PER_S = 1_000_000_000;

    private static final String INTERVAL_KEY = "pace.interval";

    private final ExperimentOptions options;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before the program is executed
    private CommandSpec program;

    @Parameters(
            index = "0",
            paramLabel = "TRANSPORT",
            completionCandidates = TransportNames.class,
            description = "${COMPLETION-CANDIDATES}; or several: tcp,udp.")
    private String transport = "";

    @Option(names = "--flood", description = "Send as fast as the network accepts packets; the same as --mode flood.")
    private boolean flood;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Send packets of this many bits per second on each stream, instead of one each --interval:"
                    + " 10mbit.")
    private @Nullable String rate;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Record the packets of this time instead of a number of packets: 30s.")
    private @Nullable String duration;

    /** @param excluded see {@link ExperimentOptions#ExperimentOptions} */
    public RunArguments(Set<String> excluded) {
        options = new ExperimentOptions(excluded);
    }

    /** Adds the options of the keys; see {@link ExperimentOptions#addTo}. */
    public void addTo(CommandSpec command, List<String> arguments) {
        options.addTo(command, arguments);
    }

    /** Returns the given options of keys as {@code key=value}. */
    public List<String> given() {
        return options.given(program.commandLine().getParseResult(), transport);
    }

    /**
     * Returns the experiment that the arguments describe.
     *
     * @param more further keys and values
     * @throws LagbenchException with {@link ExitCode#USAGE} if a value is not accepted; the message names the option
     */
    public Experiment experiment(ExperimentReader reader, List<String> more) throws LagbenchException {
        List<String> given = given();
        List<String> values = new ArrayList<>(List.of("transports=" + transports()));
        if (!given.contains("traffic=" + Traffic.TRANSFER.text())) {
            values.add(SIZE_KEY + "=" + DEFAULT_PACKET_BYTES);
        }
        values.addAll(given);
        if (flood) {
            values.add("pace.mode=" + Pace.Mode.FLOOD.text());
        }
        values.addAll(more);
        Experiment experiment = build(reader, values);
        if (rate != null) {
            values.add(INTERVAL_KEY + "=" + intervalNs(rate, experiment, given) + "ns");
            experiment = build(reader, values);
        }
        if (duration != null) {
            values.add("packets=" + packets(duration, experiment, given));
            experiment = build(reader, values);
        }
        return experiment;
    }

    private String transports() {
        return transport.contains(",") && !transport.startsWith("[") ? "[" + transport + "]" : transport;
    }

    private Experiment build(ExperimentReader reader, List<String> values) throws LagbenchException {
        try {
            return reader.build(program.name(), values);
        } catch (LagbenchException e) {
            String messages = String.valueOf(e.getMessage());
            throw e.exitCode()
                    .failure(options.asTyped(messages, program.commandLine().getParseResult(), transport), e);
        }
    }

    /** Returns the interval at which packets, or bursts, have a rate. */
    private static long intervalNs(String rate, Experiment experiment, List<String> given) throws LagbenchException {
        Pace pace = experiment.axes().paces().get(0);
        List<Integer> sizes = experiment.packetBytes(experiment.traffics().get(0));
        require(
                given.stream().noneMatch(value -> value.startsWith(INTERVAL_KEY + "=")),
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

    private static long packets(String duration, Experiment experiment, List<String> given) throws LagbenchException {
        Pace pace = experiment.axes().paces().get(0);
        Duration length = Durations.ofOption("--duration", duration);
        require(
                given.stream().noneMatch(value -> value.startsWith("packets=")),
                "Give --packets or --duration, not both.");
        if (pace.mode() == Pace.Mode.FLOOD) {
            int bytes = experiment.packetBytes(experiment.traffics().get(0)).get(0);
            throw ExitCode.USAGE.failure("--duration: a flood sends a number of packets, however long it takes. At 1"
                    + " Gbit/s, " + duration + " is --packets "
                    + floodPackets(length.toNanos() / Units.NS_PER_S, bytes) + ".");
        }
        long packets = pace.packetsIn(length.toNanos());
        require(
                packets <= RunParameters.MAXIMUM_PACKETS,
                "--duration: " + duration + " takes " + packets + " packets, and a run has at most "
                        + RunParameters.MAXIMUM_PACKETS + "; give a shorter --duration or a longer --interval.");
        return packets;
    }

    /**
     * Returns how many packets a flood sends in a time at {@value #FLOOD_BITS_PER_S} bit/s.
     *
     * @param bytes of a packet; 0 for the default
     */
    public static long floodPackets(double seconds, long bytes) {
        return Math.round(seconds * FLOOD_BITS_PER_S / Byte.SIZE / (bytes == 0 ? DEFAULT_PACKET_BYTES : bytes));
    }

    private static void require(boolean isValid, String sentence) throws LagbenchException {
        if (!isValid) {
            throw ExitCode.USAGE.failure(sentence);
        }
    }
}
