package org.lagbench.core.yaml;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole.Direction;
import org.lagbench.core.yaml.TransportReader.Section;
import org.lagbench.core.yaml.ValueReader.Placed;
import org.lagbench.core.yaml.YamlNode.Mapping;
import org.lagbench.core.yaml.YamlNode.Sequence;

/** Reads and writes {@code streams}: a list of mappings, one for each stream. */
final class StreamReader {
    static final Key<String> NAME = Key.matching(
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,29}"),
            "name",
            "up to 30 letters, digits, hyphens and underscores, the first a letter or digit");
    static final Key<String> TRANSPORT = Key.of("transport", "the name of a transport");
    static final Key<Integer> PACKET_BYTES = new Key<>(
            "packet-bytes",
            "a whole number from " + RunSpec.MINIMUM_PACKET_BYTES + " to the transport's maximum",
            ExperimentKeys::packetBytes);
    static final Key<String> PACE = Key.of("pace", "a pace");
    static final Key<Direction> DIRECTION = Key.word("direction", Direction.class);
    static final Key<Long> PACKETS = Key.number("packets", 1, RunSpec.MAXIMUM_PACKETS);
    static final Key<Long> DURATION =
            Key.time("duration", 1, Duration.ofHours(24).toNanos());
    static final Key<String> SETTINGS = Key.of("settings", "settings of the transport");
    private static final List<Key<?>> KEYS =
            List.of(NAME, TRANSPORT, PACKET_BYTES, PACE, DIRECTION, PACKETS, DURATION, SETTINGS);

    private final Key<Transport> transport;
    private final long defaultPackets;
    private final Duration stallTimeout;
    private final Problems problems;

    /**
     * Creates a reader of streams.
     *
     * @param defaultPackets number of packets of a stream without packets and duration
     */
    StreamReader(Transports transports, long defaultPackets, Duration stallTimeout, Problems problems) {
        this.transport =
                new Key<>(TRANSPORT.name(), "one of " + String.join(", ", transports.names()), name -> transports
                        .find(name)
                        .orElseThrow(() -> new IllegalArgumentException(name)));
        this.defaultPackets = defaultPackets;
        this.stallTimeout = stallTimeout;
        this.problems = problems;
    }

    /** Returns the streams, without refused ones; none if the list is empty. */
    List<PacketStream> read(YamlNode node) {
        Key<?> key = ExperimentKeys.STREAMS;
        if (!(node instanceof Sequence sequence)) {
            problems.refuse(key.name(), node, key.accepted());
            return List.of();
        }
        List<PacketStream> streams = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Key<?> element = Key.of(key.name(), "a mapping of " + String.join(", ", Key.names(KEYS)));
        for (YamlNode mapping : sequence.elements()) {
            MappingReader.ofSection(element, mapping, KEYS, problems)
                    .flatMap(this::stream)
                    .ifPresent(stream -> {
                        if (names.add(stream.name())) {
                            streams.add(stream);
                        } else {
                            problems.add(
                                    mapping.place(),
                                    key.name() + ": there are two streams called " + stream.name() + ".");
                        }
                    });
        }
        return streams;
    }

    private Optional<PacketStream> stream(MappingReader keys) {
        Optional<String> name = required(keys, NAME);
        Optional<Transport> over = required(keys, transport);
        Optional<Integer> size = required(keys, PACKET_BYTES);
        Optional<Placed<Pace>> pace = pace(keys);
        Optional<Direction> direction = keys.find(DIRECTION, Direction.FORWARD);
        if (name.isEmpty() || over.isEmpty() || size.isEmpty() || pace.isEmpty() || direction.isEmpty()) {
            return Optional.empty();
        }
        Section section = new TransportReader(problems).read(over.get(), keys.entry(SETTINGS), keys.place());
        for (Map.Entry<String, List<String>> setting : section.axes().values().entrySet()) {
            if (setting.getValue().size() != 1) {
                problems.add(
                        section.place(),
                        keys.path(SETTINGS) + "." + setting.getKey() + ": a stream takes one value, not a list.");
            }
        }
        if (section.axes().combinationCount() != 1) {
            return Optional.empty();
        }
        new CompatibilityCheck(problems)
                .check(
                        List.of(section),
                        List.of(new Placed<>(keys.place(PACKET_BYTES), size.get())),
                        List.of(pace.get()),
                        stallTimeout);
        return packets(keys, pace.get().value())
                .map(packets -> new PacketStream(
                        name.get(),
                        over.get().name(),
                        size.get(),
                        packets,
                        pace.get().value(),
                        direction.get(),
                        section.axes().combinations().get(0)));
    }

    private Optional<Placed<Pace>> pace(MappingReader keys) {
        YamlNode node = keys.node(PACE);
        List<Placed<Pace>> paces =
                new PaceReader(problems).read(node == null ? new Mapping(keys.place(), Map.of()) : node);
        if (paces.size() > 1) {
            keys.add(PACE, "a stream takes one pace, not a list.");
        }
        return paces.stream().findFirst();
    }

    /** Returns the stream's number of packets: as given, as many as its duration takes, or the experiment's number. */
    private Optional<Long> packets(MappingReader keys, Pace pace) {
        if (!keys.has(DURATION)) {
            return keys.find(PACKETS, defaultPackets);
        }
        if (keys.has(PACKETS)) {
            keys.addAtKey(DURATION, "set packets or duration, not both.");
            return Optional.empty();
        }
        if (pace.mode() == Pace.Mode.FLOOD) {
            keys.addAtKey(DURATION, "a flood has no duration; set packets instead.");
            return Optional.empty();
        }
        Key<Long> packets =
                DURATION.map(durationNs -> Key.within(pace.packetsIn(durationNs), 1, RunSpec.MAXIMUM_PACKETS));
        return keys.find(packets, 0L);
    }

    private <T> Optional<T> required(MappingReader keys, Key<T> key) {
        if (keys.has(key)) {
            return keys.read(key);
        }
        problems.add(
                keys.place(),
                ExperimentKeys.STREAMS.name() + ": a stream without " + key.name() + "; it takes " + key.accepted()
                        + ".");
        return Optional.empty();
    }

    /** Returns a stream as a user would write it. */
    static String yaml(PacketStream stream) {
        return Key.mapping(List.of(
                NAME.yaml(ExperimentWriter.scalar(stream.name())),
                TRANSPORT.yaml(ExperimentWriter.scalar(stream.transport())),
                PACKET_BYTES.yaml(stream.packetBytes()),
                PACKETS.yaml(stream.packets()),
                PACE.yaml(PaceReader.yaml(stream.pace())),
                DIRECTION.yaml(stream.direction().text()),
                SETTINGS.yaml(Key.mapping(stream.settings().asText().entrySet().stream()
                        .map(setting -> setting.getKey() + ": " + ExperimentWriter.scalar(setting.getValue()))
                        .toList()))));
    }
}
