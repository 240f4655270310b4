package org.lagbench.core.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.experiment.TransportReader.Section;
import org.lagbench.core.experiment.ValueReader.Placed;
import org.lagbench.core.experiment.YamlNode.Entry;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.experiment.YamlNode.Sequence;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole.Direction;
import org.lagbench.core.time.Intervals;
import org.lagbench.core.transport.Transport;

/** Reads {@code streams}: a list of mappings, each a stream with all that it has of its own. */
final class StreamReader {
    private static final String STREAMS = ExperimentKey.STREAMS.text();
    static final String NAME = "name";
    static final String TRANSPORT = "transport";
    static final String PACKET_BYTES = ExperimentKey.PACKET_BYTES.text();
    static final String PACE = ExperimentKey.PACE.text();
    static final String DIRECTION = "direction";
    static final String PACKETS = ExperimentKey.PACKETS.text();
    static final String DURATION = "duration";
    static final String SETTINGS = "settings";
    private static final List<String> KEYS =
            List.of(NAME, TRANSPORT, PACKET_BYTES, PACE, DIRECTION, PACKETS, DURATION, SETTINGS);

    private static final Pattern NAME_PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,29}");
    private static final String NAMES =
            "up to 30 letters, digits, hyphens and underscores, the first a letter or digit";
    private static final String SIZES =
            "a whole number from " + RunSpec.MINIMUM_PACKET_BYTES + " to the transport's maximum";
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final String DURATIONS = Intervals.accepted(1, LONGEST.toNanos());

    private final List<Transport> transports;
    private final long defaultPackets;
    private final Duration stallTimeout;
    private final Problems problems;
    private final ValueReader values;

    /**
     * A reader of streams.
     *
     * @param defaultPackets how many packets a stream has that does not tell
     */
    StreamReader(List<Transport> transports, long defaultPackets, Duration stallTimeout, Problems problems) {
        this.transports = transports;
        this.defaultPackets = defaultPackets;
        this.stallTimeout = stallTimeout;
        this.problems = problems;
        this.values = new ValueReader(problems);
    }

    /** The streams, without those that were refused; none if the list is empty. */
    List<PacketStream> read(YamlNode node) {
        List<YamlNode> elements = node instanceof Sequence sequence ? sequence.elements() : List.of();
        if (!(node instanceof Sequence)) {
            problems.refuse(STREAMS, node, ExperimentKey.STREAMS.accepted());
        }
        List<PacketStream> streams = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (YamlNode element : elements) {
            if (element instanceof Mapping mapping) {
                stream(mapping).ifPresent(stream -> {
                    if (names.add(stream.name())) {
                        streams.add(stream);
                    } else {
                        problems.add(
                                mapping.place(), STREAMS + ": there are two streams called " + stream.name() + ".");
                    }
                });
            } else {
                problems.refuse(STREAMS, element, "a mapping of " + String.join(", ", KEYS));
            }
        }
        return streams;
    }

    private Optional<PacketStream> stream(Mapping mapping) {
        values.refuseUnknown(mapping, STREAMS + ".", KEYS);
        Optional<String> name = required(mapping, NAME, NAMES, StreamReader::name);
        Optional<Transport> transport = required(mapping, TRANSPORT, accepted(), this::transport);
        Optional<Integer> size = required(mapping, PACKET_BYTES, SIZES, text ->
                (int) ValueReader.number(text, RunSpec.MINIMUM_PACKET_BYTES, Integer.MAX_VALUE));
        Optional<Placed<Pace>> pace = pace(mapping);
        Optional<Direction> direction =
                optional(mapping, DIRECTION, "forward or backward", Direction::named, Direction.FORWARD);
        if (name.isEmpty() || transport.isEmpty() || size.isEmpty() || pace.isEmpty() || direction.isEmpty()) {
            return Optional.empty();
        }
        Entry settings = mapping.entries().get(SETTINGS);
        Section section = new TransportReader(transports, problems).read(transport.get(), settings, mapping.place());
        for (Map.Entry<String, List<String>> setting : section.axes().values().entrySet()) {
            if (setting.getValue().size() != 1) {
                problems.add(
                        section.place(),
                        STREAMS + "." + SETTINGS + "." + setting.getKey() + ": a stream takes one value, not a list.");
            }
        }
        if (section.axes().combinationCount() != 1) {
            return Optional.empty();
        }
        YamlNode sizeNode = value(mapping, PACKET_BYTES, mapping);
        new CompatibilityCheck(problems)
                .check(
                        List.of(section),
                        List.of(new Placed<>(sizeNode.place(), size.get())),
                        List.of(pace.get()),
                        stallTimeout);
        return packets(mapping, pace.get().value())
                .map(packets -> new PacketStream(
                        name.get(),
                        transport.get().name(),
                        size.get(),
                        packets,
                        pace.get().value(),
                        direction.get(),
                        section.axes().combinations().get(0)));
    }

    private Optional<Placed<Pace>> pace(Mapping mapping) {
        YamlNode node = value(mapping, PACE, new Mapping(mapping.place(), Map.of()));
        List<Placed<Pace>> paces = new PaceReader(problems).read(node);
        if (paces.size() > 1) {
            problems.add(node.place(), STREAMS + "." + PACE + ": a stream takes one pace, not a list.");
        }
        return paces.stream().findFirst();
    }

    /** How many packets: told, or those of the duration, or as many as the experiment's. */
    private Optional<Long> packets(Mapping mapping, Pace pace) {
        Entry duration = mapping.entries().get(DURATION);
        if (duration == null) {
            return optional(
                    mapping,
                    PACKETS,
                    ExperimentKey.PACKETS.accepted(),
                    text -> ValueReader.number(text, 1, RunSpec.MAXIMUM_PACKETS),
                    defaultPackets);
        }
        if (mapping.entries().containsKey(PACKETS)) {
            problems.add(duration.keyPlace(), STREAMS + "." + DURATION + ": packets tells as much; leave one out.");
            return Optional.empty();
        }
        if (pace.mode() == Pace.Mode.FLOOD) {
            problems.add(
                    duration.keyPlace(),
                    STREAMS + "." + DURATION + ": a flood takes as long as its packets do; give packets in its place.");
            return Optional.empty();
        }
        return values.one(STREAMS + "." + DURATION, duration.value(), DURATIONS, text -> {
            long durationNs = Intervals.parseNs(text);
            long packets = (durationNs + pace.intervalNs() - 1) / pace.intervalNs() * pace.burst();
            if (durationNs < 1 || durationNs > LONGEST.toNanos() || packets > RunSpec.MAXIMUM_PACKETS) {
                throw new IllegalArgumentException(text + " is out of range");
            }
            return packets;
        });
    }

    private <T> Optional<T> required(Mapping mapping, String key, String accepted, Function<String, T> parser) {
        Entry entry = mapping.entries().get(key);
        if (entry == null) {
            problems.add(mapping.place(), STREAMS + ": a stream without " + key + "; it takes " + accepted + ".");
            return Optional.empty();
        }
        return values.one(STREAMS + "." + key, entry.value(), accepted, parser);
    }

    private <T> Optional<T> optional(
            Mapping mapping, String key, String accepted, Function<String, T> parser, T absent) {
        Entry entry = mapping.entries().get(key);
        return entry == null ? Optional.of(absent) : values.one(STREAMS + "." + key, entry.value(), accepted, parser);
    }

    private static YamlNode value(Mapping mapping, String key, YamlNode absent) {
        @Nullable Entry entry = mapping.entries().get(key);
        return entry == null ? absent : entry.value();
    }

    private String accepted() {
        return "one of "
                + String.join(", ", transports.stream().map(Transport::name).toList());
    }

    private Transport transport(String text) {
        return transports.stream()
                .filter(transport -> transport.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(text + " is not a transport"));
    }

    private static String name(String text) {
        if (!NAME_PATTERN.matcher(text).matches()) {
            throw new IllegalArgumentException(text + " is not a name");
        }
        return text;
    }
}
