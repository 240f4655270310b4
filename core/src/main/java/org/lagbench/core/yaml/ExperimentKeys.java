package org.lagbench.core.yaml;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole.Direction;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;

/** The keys of an experiment file besides the transports' sections. */
final class ExperimentKeys {
    private static final List<Key<?>> KEYS = new ArrayList<>();

    /** All keys, in the order of {@link Experiment#toYaml()}. */
    static final List<Key<?>> ALL = Collections.unmodifiableList(KEYS);

    static final String AUTO = "auto";
    static final String LOCAL = "local";
    static final String BOTH = "both";
    static final String SHUFFLED = "shuffled";
    static final String PAIRS_OF = "pairs-of";

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9:][A-Za-z0-9.:%_-]{0,254}");

    private static final Parameter<?> SIZE = Parameter.bytes(
                    "transfer-bytes", TransferSpec.MINIMUM_BYTES, TransferSpec.MAXIMUM_BYTES)
            .byDefault(TransferSpec.DEFAULT_BYTES)
            .described("Size of each transfer.");

    private static final Parameter<?> CHUNK_SIZE = Parameter.bytes("chunk-bytes", RunSpec.MINIMUM_PACKET_BYTES, 1 << 24)
            .byDefault(1L << 14)
            .described("Size of each chunk before compression.");

    static final Key<String> NAME = add(Key.matching(
            RunSpec.NAME,
            "name",
            "up to 100 letters, digits, dots, hyphens and underscores, the first a letter or digit"));
    static final Key<Long> PACKETS = add(Key.number("packets", 1, RunSpec.MAXIMUM_PACKETS));
    static final Key<Long> WARM_UP_PACKETS = add(Key.number("warm-up-packets", 0, RunSpec.MAXIMUM_PACKETS));
    static final Key<Integer> REPEATS = add(Key.integer("repeats", 1, Experiment.MAXIMUM_REPEATS));
    static final Key<String> TRANSPORTS = add(Key.of("transports", "the name of a transport, or a list of them"));
    static final Key<Integer> PACKET_BYTES = add(new Key<>(
            "packet-bytes",
            "a whole number from " + RunSpec.MINIMUM_PACKET_BYTES + " to the transport's maximum, or a list of them",
            text -> (int) Key.parseNumber(text, 1, Integer.MAX_VALUE)));
    static final Key<Traffic> TRAFFIC = add(new Key<>(
            "traffic",
            TextEnum.accepted(Traffic.class) + ", or a list of these",
            text -> TextEnum.parse(Traffic.class, "traffic", text)));
    static final Key<Integer> IN_FLIGHT =
            add(new Key<>("in-flight", TrafficSpec.IN_FLIGHT_ACCEPTED, TrafficSpec::parseInFlight));
    static final Key<Duration> ANSWER_TIMEOUT = add(Key.time(
                    "answer-timeout",
                    TrafficSpec.MINIMUM_ANSWER_TIMEOUT.toNanos(),
                    TrafficSpec.MAXIMUM_ANSWER_TIMEOUT.toNanos())
            .map(Duration::ofNanos));
    static final Key<Long> TRANSFER_BYTES =
            add(new Key<>("transfer-bytes", SIZE.accepted() + ", or a list of these", text -> (Long) SIZE.parse(text)));
    static final Key<Integer> TRANSFERS = add(Key.integer("transfers", 1, TransferSpec.MAXIMUM_COUNT));
    static final Key<Boolean> CONNECTION =
            add(new Key<>("connection", TransferSpec.CONNECTION_ACCEPTED, TransferSpec::parseConnection));
    static final Key<String> CODEC = add(
            new Key<>("codec", CompressionSpec.CODEC_ACCEPTED + "; or a list of these", CompressionSpec::parseCodec));
    static final Key<String> DATA =
            add(new Key<>("data", CompressionSpec.DATA_ACCEPTED + "; or a list of these", CompressionSpec::parseData));
    static final Key<Optional<Integer>> CHUNK_BYTES =
            add(new Key<>("chunk-bytes", CHUNK_SIZE.accepted() + ", or a list of these", text -> ((Long)
                                    CHUNK_SIZE.parse(text))
                            .intValue())
                    .or(AUTO));
    static final Key<String> PACE = add(Key.of("pace", "mode, interval and burst, the word flood, or a list of these"));
    static final Key<List<Direction>> DIRECTION =
            add(new Key<>("direction", TextEnum.accepted(Direction.class) + " or " + BOTH, ExperimentKeys::directions));
    static final Key<String> STREAMS = add(Key.of(
            "streams",
            "a list, each of its elements with name, transport, packet-bytes, pace, direction, packets or duration, and"
                    + " settings"));
    static final Key<String> ENGINE = add(Key.of("engine", "the name of an engine, or a list of them"));
    static final Key<String> JVM = add(Key.of("jvm", JvmOptions.ACCEPTED + ", or a list of these"));
    static final Key<Observation> OBSERVE = add(new Key<>(
            "observe",
            TextEnum.accepted(Observation.class) + ", or a list of these, or " + Observation.NOTHING,
            text -> TextEnum.parse(Observation.class, "observe", text)));
    static final Key<Optional<String>> ORDER = add(
            new Key<>("order", SHUFFLED + ", or " + PAIRS_OF + " and the name of an axis", ExperimentKeys::pairsOf));
    static final Key<Optional<Long>> SEED =
            add(Key.number("seed", 0, Long.MAX_VALUE).or(AUTO));
    static final Key<Optional<Endpoint>> RECEIVER =
            add(new Key<>("receiver", LOCAL + ", or " + Endpoint.ACCEPTED, ExperimentKeys::receiver));
    static final Key<String> KEY_FILE = add(Key.of("key-file", "a path, or null"));
    static final Key<Optional<String>> DATA_HOST =
            add(Key.matching(HOST, "data-host", "the name or address of a host").or(AUTO));
    static final Key<String> LAB = add(Key.of("lab", LabReader.ACCEPTED));
    static final Key<String> TUNE = add(Key.of("tune", TuneReader.ACCEPTED));
    static final Key<String> MONITOR = add(Key.of("monitor", MonitorReader.ACCEPTED));
    static final Key<String> CAPACITY = add(Key.of("capacity", CapacityReader.ACCEPTED));
    static final Key<String> CLOCK = add(Key.of("clock", "max-error and chrony"));
    static final Key<Duration> DRAIN =
            add(Key.time("drain", 0, RunSpec.MAXIMUM_DRAIN.toNanos()).map(Duration::ofNanos));
    static final Key<Duration> STALL_TIMEOUT = add(
            Key.time("stall-timeout", RunSpec.MINIMUM_STALL_TIMEOUT.toNanos(), RunSpec.MAXIMUM_STALL_TIMEOUT.toNanos())
                    .map(Duration::ofNanos));

    /** The keys that describe the hosts and the network between them, not what they send. */
    static final List<Key<?>> PATH =
            List.of(NAME, SEED, RECEIVER, KEY_FILE, DATA_HOST, LAB, CAPACITY, CLOCK, STALL_TIMEOUT);

    private ExperimentKeys() {}

    private static <T> Key<T> add(Key<T> key) {
        KEYS.add(key);
        return key;
    }

    static int packetBytes(String text) {
        return (int) Key.parseNumber(text, RunSpec.MINIMUM_PACKET_BYTES, Integer.MAX_VALUE);
    }

    private static List<Direction> directions(String text) {
        return text.equals(BOTH)
                ? List.of(Direction.values())
                : List.of(TextEnum.parse(Direction.class, "direction", text));
    }

    /** Returns the axis whose values are run one after the other; nothing if all points are shuffled. */
    private static Optional<String> pairsOf(String text) {
        if (text.equals(SHUFFLED)) {
            return Optional.empty();
        }
        String[] words = text.strip().split("\\s+", -1);
        if (words.length != 2 || !words[0].equals(PAIRS_OF)) {
            throw new IllegalArgumentException(text + " is not an order");
        }
        return Optional.of(words[1]);
    }

    private static Optional<Endpoint> receiver(String text) {
        if (text.equals(LOCAL)) {
            return Optional.empty();
        }
        Endpoint receiver = Endpoint.parse(text);
        if (receiver.port() == 0) {
            throw new IllegalArgumentException("no receiver listens on port 0");
        }
        return Optional.of(receiver);
    }
}
