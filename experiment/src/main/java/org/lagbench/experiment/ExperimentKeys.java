package org.lagbench.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.NetworkParameters;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Registry;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Section;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.MachinePolicy;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.StreamRole.Direction;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.YamlNode.Scalar;

/** The parameters of an experiment file besides the transports' sections. */
final class ExperimentKeys {
    static final String LOCAL = "local";
    static final String BOTH = "both";
    static final String SHUFFLED = "shuffled";
    static final String PAIRS_OF = "pairs-of";

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9:][A-Za-z0-9.:%_-]{0,254}");

    static final Parameter<Integer> REPEATS = Parameter.integer("repeats", 1, GridOrder.MAXIMUM_REPEATS)
            .byDefault(1)
            .described("How many times each combination is run.");
    static final Parameter<List<SettingAxes<Transport>>> TRANSPORTS = Parameter.<SettingAxes<Transport>>yaml(
                    "transports", "the name of a transport", SettingAxes::name)
            .list()
            .described("The network types.");
    static final Parameter<List<Integer>> SIZES = RunParameters.PACKET_BYTES.list();
    static final Parameter<Map<Traffic, List<Integer>>> PACKET_BYTES = Parameter.yaml(
                    SIZES.name(), SIZES.accepted(), ExperimentKeys::formatSizes)
            .described(SIZES.description());
    static final Parameter<List<Traffic>> TRAFFIC = Parameter.word("traffic", Traffic.class)
            .byDefault(Traffic.ONE_WAY)
            .described("What the runs do.")
            .list();
    static final Parameter<List<Long>> TRANSFER_BYTES = RunParameters.TRANSFER_BYTES.list();
    static final Parameter<List<String>> CODEC = Parameter.of(
                    "codec", CompressionSpec.CODEC_ACCEPTED, CompressionSpec::parseCodec, codec -> codec)
            .byDefault(CompressionSpec.OFF)
            .described("With transfer, the codec of the pieces, which are then chunks:")
            .list()
            .accepting(CompressionSpec.CODEC_ACCEPTED + "; or a list of these");
    static final Parameter<List<String>> DATA = Parameter.of(
                    "data", CompressionSpec.DATA_ACCEPTED, CompressionSpec::parseData, data -> data)
            .byDefault(CompressionSpec.DEFAULT_DATA)
            .described(
                    "With a codec, the contents of the chunks, generated from a seed, or a file of the sender's host.")
            .list()
            .accepting(CompressionSpec.DATA_ACCEPTED + "; or a list of these");
    static final Parameter<Pace.Mode> MODE = Parameter.word("mode", Pace.Mode.class)
            .byDefault(Pace.Mode.HYBRID)
            .described("How the sender waits for a packet's time.");
    static final Section<Pace> PACES = Section.of(Pace.class, MODE, RunParameters.INTERVAL, RunParameters.BURST)
            .checked(ExperimentKeys::checkFlood);
    static final Parameter<Pace> ONE_PACE = Parameter.section("pace", PACES)
            .byDefault(PACES.createDefault())
            .orWord(Pace.Mode.FLOOD.text(), Pace.flood())
            .accepting("mode, interval and burst, or the word flood")
            .described("When each packet is due.");
    static final Parameter<List<Pace>> PACE =
            ONE_PACE.list().accepting("mode, interval and burst, the word flood, or a list of these");
    static final Parameter<List<Direction>> DIRECTION = Parameter.of(
                    "direction",
                    TextEnum.accepted(Direction.class) + " or " + BOTH,
                    ExperimentKeys::parseDirections,
                    directions ->
                            directions.size() > 1 ? BOTH : directions.get(0).text())
            .byDefault(List.of(Direction.FORWARD))
            .described("Which way the packets go:");
    static final Parameter<Integer> PARALLEL = Parameter.integer("parallel", 1, StreamRole.MAXIMUM_PARALLEL)
            .byDefault(1)
            .described("How many equal streams each run sends at the same time, from a common start.");
    static final Parameter<List<PacketStream>> STREAMS = Parameter.yaml(
                    "streams",
                    "a list, each of its elements with name, transport, packet-bytes, pace, direction, packets or"
                            + " duration, and settings",
                    StreamReader::format)
            .described("Several streams at once.");
    static final Parameter<List<SettingAxes<Engine>>> ENGINE = Parameter.<SettingAxes<Engine>>yaml(
                    "engine", "the name of an engine", SettingAxes::name)
            .list()
            .described("What sends and receives the packets.");
    static final Parameter<List<JvmOptions>> JVM = Parameter.of(
                    "jvm", JvmOptions.ACCEPTED, JvmOptions::parse, JvmOptions::text)
            .byDefault(JvmOptions.NONE)
            .described("Additional options of the sender's and the receiver's JVM;")
            .list();
    static final Parameter<List<ObservedSource>> OBSERVE = Parameter.word(ObservedSource.KEY, ObservedSource.class)
            .list()
            .orWord(Parameter.NONE, List.of())
            .byDefault(List.copyOf(ObservedSource.DEFAULT))
            .described("What both sides record in addition to the stamps.");
    static final Parameter<Optional<String>> ORDER = Parameter.of(
                    "order",
                    PAIRS_OF + " and the name of an axis",
                    ExperimentKeys::parsePairs,
                    axis -> PAIRS_OF + " " + axis)
            .or(SHUFFLED)
            .accepting(SHUFFLED + ", or " + PAIRS_OF + " and the name of an axis")
            .described("The order of the runs within each repeat.");
    static final Parameter<Optional<Long>> SEED = Parameter.number("seed", 0, Long.MAX_VALUE)
            .or(Parameter.AUTO)
            .described("Seed of the order of the runs, which are shuffled within each repeat.");
    static final Parameter<Optional<Endpoint>> RECEIVER = Parameter.endpoint("receiver")
            .map(ExperimentKeys::checkReceiver, receiver -> receiver)
            .or(LOCAL)
            .accepting(LOCAL + ", or " + Endpoint.ACCEPTED)
            .described("The receiver's address.");
    static final Parameter<Optional<Path>> KEY_FILE = Parameter.of(
                    "key-file", "a path", ExperimentKeys::parsePath, Path::toString)
            .or("null")
            .described("The file with the key that sender and receiver share.");
    static final Parameter<Optional<String>> DATA_HOST = Parameter.text(
                    "data-host", HOST, "the name or address of a host")
            .namingHost()
            .or(Parameter.AUTO)
            .described("The receiver's address for packets.");
    static final Parameter<LocalEnd> LOCAL_END = Parameter.section("local", LocalEnd.SECTION)
            .accepting("bind, data-port and device")
            .byDefault(LocalEnd.ANY)
            .described("Where the packets of this host leave and arrive.");
    static final Parameter<Optional<Network>> LAB = Parameter.section("lab", NetworkParameters.NETWORK)
            .or(Parameter.NONE)
            .accepting(NetworkReader.ACCEPTED)
            .described("The emulated network between sender and receiver of runs over IP.");
    static final Parameter<Optional<Tuning>> TUNE = orNone("tune", TuneReader.SECTION)
            .described("What `lagbench tune` searches for; `lagbench sweep` only checks it.");
    static final Parameter<Optional<Monitoring>> MONITOR = orNone("monitor", MonitorReader.SECTION)
            .described("What `lagbench monitor` probes, and when; `lagbench sweep` ignores it.");
    static final Section<CapacitySpec> CAPACITIES = Section.of(
            CapacitySpec.class,
            Parameter.word("method", CapacitySpec.Method.class).byDefault(CapacitySpec.DEFAULT.method()),
            Parameter.integer("budget-mb", 1, 1_000_000).byDefault(CapacitySpec.DEFAULT.budgetMb()));
    static final Parameter<Optional<CapacitySpec>> CAPACITY =
            orNone("capacity", CAPACITIES).described("What `lagbench capacity` measures; `lagbench sweep` ignores it.");
    static final Parameter<Endpoint> CHRONY = Parameter.endpoint("chrony")
            .byDefault(ClockPolicy.DEFAULT.chrony())
            .described("The address of each host's chronyd for its command protocol, as seen from that host.");
    static final Parameter<ClockPolicy> CLOCK = Parameter.section(
                    "clock",
                    Section.of(
                            ClockPolicy.class,
                            Parameter.duration("max-error", Duration.ofNanos(1), Duration.ofHours(1))
                                    .byDefault(ClockPolicy.DEFAULT.maximumError())
                                    .described("The largest clock bound with which a run starts:"),
                            CHRONY))
            .accepting("max-error and chrony")
            .byDefault(ClockPolicy.DEFAULT)
            .described("How close the two hosts' clocks must be.");
    static final Parameter<MachinePolicy> MACHINE = Parameter.section(
                    "machine",
                    Section.of(
                            MachinePolicy.class,
                            NetworkParameters.share("max-other-load")
                                    .byDefault(MachinePolicy.DEFAULT.maximumOtherLoadPpm())
                                    .described("The part of the CPU time of a host above which other programs and"
                                            + " virtual machines spoil a run, so that no verdict uses it. 100% accepts"
                                            + " whatever the machine did.")))
            .accepting("max-other-load")
            .byDefault(MachinePolicy.DEFAULT)
            .described("How busy the hosts may be with other programs.");

    /** The conditions of the runs. Each key may have several values, so that every one is an axis. */
    static final Parameter<List<RunConditions>> CONDITIONS = Parameter.section("", RunConditions.SECTION)
            .byDefault(RunConditions.DEFAULT)
            .list();

    /** All of an experiment, in the order of a file. */
    static final Section<Experiment> EXPERIMENT = Section.of(
            Experiment.class,
            RunParameters.NAME,
            RunParameters.PACKETS,
            RunParameters.WARM_UP_PACKETS,
            REPEATS,
            TRANSPORTS,
            PACKET_BYTES,
            TRAFFIC,
            RunParameters.IN_FLIGHT,
            RunParameters.REPLY_TIMEOUT,
            TRANSFER_BYTES,
            RunParameters.TRANSFERS,
            RunParameters.CONNECTION,
            CODEC,
            DATA,
            PACE,
            DIRECTION,
            PARALLEL,
            STREAMS,
            ENGINE,
            JVM,
            OBSERVE,
            ORDER,
            SEED,
            RECEIVER,
            KEY_FILE,
            DATA_HOST,
            LOCAL_END,
            LAB,
            TUNE,
            MONITOR,
            CAPACITY,
            CLOCK,
            MACHINE,
            CONDITIONS);

    /** All keys, in the order of {@link Experiment#toYaml()}. */
    static final List<Parameter<?>> ALL = EXPERIMENT.keys();

    /** The keys that describe the hosts and the network between them, not what they send. */
    static final List<Parameter<?>> PATH =
            with(EXPERIMENT.keysOf(NetworkPath.class), RunParameters.NAME, SEED, CAPACITY, RunParameters.STALL_TIMEOUT);

    /** The keys that describe the points, besides the sections of transports and engines. */
    static final List<Parameter<?>> POINTS = EXPERIMENT.keysOf(BasePoint.class, PointAxes.class);

    /**
     * The keys that a probe may have, besides these sections. Its sender runs in the JVM of the monitor, and its series
     * have no names for codecs.
     */
    static final List<Parameter<?>> OF_PROBE = with(
            POINTS.stream()
                    .filter(key -> !List.of(CODEC, DATA, JVM).contains(key))
                    .toList(),
            RunParameters.NAME);

    private ExperimentKeys() {}

    private static List<Parameter<?>> with(List<Parameter<?>> keys, Parameter<?>... others) {
        return Stream.concat(keys.stream(), Stream.of(others)).toList();
    }

    private static <R extends Record> Parameter<Optional<R>> orNone(String name, Section<R> section) {
        return Parameter.section(name, section)
                .or(Parameter.NONE)
                .accepting(Parameter.NONE + ", or " + String.join(", ", section.names()));
    }

    static List<String> names(List<Parameter<?>> keys) {
        return keys.stream().<String>map(Parameter::name).toList();
    }

    /**
     * Returns a key whose values are one or several names of a registry.
     *
     * @param kind what a name is the name of, for messages: "an engine"
     * @param hint the end of the message for an unknown name
     */
    static <T extends Registry.Named> Parameter<List<T>> named(
            Parameter<?> key, String kind, Registry<T> registry, UnaryOperator<String> hint) {
        Function<String, T> parser = name -> registry.find(name)
                .orElseThrow(() -> new Parameter.Refusal(Scalar.quote(name) + " is not " + kind + "; "
                        + (name.contains(",") ? Problems.LIST_HINT : hint.apply(name))));
        return Parameter.of(key.name(), "", parser, Registry.Named::name)
                .list()
                .accepting("one or several of " + String.join(", ", registry.names()));
    }

    /**
     * Returns one list of packet sizes, or a list for each kind of traffic if the lists differ; empty without sizes.
     */
    private static String formatSizes(Map<Traffic, List<Integer>> sizes) {
        List<List<Integer>> different = sizes.values().stream().distinct().toList();
        return switch (different.size()) {
            case 0 -> "";
            case 1 -> different.get(0).toString();
            default ->
                YamlWriter.mapping(sizes.entrySet().stream()
                        .map(kind -> kind.getKey().text() + ": " + kind.getValue())
                        .toList());
        };
    }

    private static void checkFlood(Pace pace, Section.Keys keys) {
        for (Parameter<?> key : List.of(RunParameters.INTERVAL, RunParameters.BURST)) {
            if (pace.mode() == Pace.Mode.FLOOD && keys.has(key)) {
                keys.add(key, "a flood has neither interval nor bursts; leave it out, or write pace: flood.");
            }
        }
    }

    private static Path parsePath(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a path must not be blank");
        }
        return Path.of(text);
    }

    private static List<Direction> parseDirections(String text) {
        return text.equals(BOTH)
                ? List.of(Direction.values())
                : List.of(TextEnum.parse(Direction.class, "direction", text));
    }

    /** Returns the axis whose values are run in succession. */
    private static String parsePairs(String text) {
        String[] words = text.strip().split("\\s+", -1);
        if (words.length != 2 || !words[0].equals(PAIRS_OF)) {
            throw new IllegalArgumentException(text + " is not an order");
        }
        return words[1];
    }

    private static Endpoint checkReceiver(Endpoint receiver) {
        if (receiver.port() == 0) {
            throw new IllegalArgumentException("no receiver listens on port 0");
        }
        return receiver;
    }
}
