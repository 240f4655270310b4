package org.lagbench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Section;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.StreamRole.Direction;
import org.lagbench.experiment.MappingReader.Placed;
import org.lagbench.experiment.YamlNode.Sequence;

/** Reads and writes {@code streams}: a list of mappings, one for each stream. */
final class StreamReader {
    private static final Parameter<String> NAME = Parameter.text(
            "name",
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,29}"),
            "up to 30 letters, digits, hyphens and underscores, the first a letter or digit");
    private static final Parameter<String> TRANSPORT = Parameter.text("transport", "the name of a transport");
    private static final Parameter<Integer> PACKET_BYTES = Parameter.integer(
                    "packet-bytes", RunParameters.MINIMUM_PACKET_BYTES, Integer.MAX_VALUE)
            .accepting(RunParameters.PACKET_BYTES.accepted());
    private static final Parameter<Long> DURATION =
            Parameter.time("duration", 1, Duration.ofHours(24).toNanos());
    private static final Parameter<Settings> SETTINGS =
            Parameter.yaml("settings", "settings of the transport", StreamReader::format);
    private static final Section<PacketStream> STREAM = Section.of(
            PacketStream.class,
            NAME,
            TRANSPORT,
            PACKET_BYTES,
            RunParameters.PACKETS,
            ExperimentKeys.ONE_PACE,
            Parameter.word("direction", Direction.class).byDefault(Direction.FORWARD),
            SETTINGS);

    private final Parameter<Transport> transport;
    private final MappingReader root;

    /**
     * Creates a reader of streams.
     *
     * @param root the experiment's keys; its packets are those of a stream without packets and duration
     */
    StreamReader(Transports transports, MappingReader root) {
        this.transport = Parameter.of(
                TRANSPORT.name(),
                "one of " + String.join(", ", transports.names()),
                name -> transports.find(name).orElseThrow(() -> new IllegalArgumentException(name)),
                Transport::name);
        this.root = root;
    }

    /** Returns the streams, without refused ones; none if the list is empty. */
    List<PacketStream> read(YamlNode node) {
        Parameter<?> key = ExperimentKeys.STREAMS;
        Problems problems = root.problems();
        if (!(node instanceof Sequence sequence)) {
            problems.refuse(key.name(), node, key.accepted());
            return List.of();
        }
        List<PacketStream> streams = new ArrayList<>();
        Set<String> different = new HashSet<>();
        List<String> names = new ArrayList<>(STREAM.names());
        names.add(DURATION.name());
        Parameter<?> element = Parameter.text(key.name(), "a mapping of " + String.join(", ", names));
        for (YamlNode mapping : sequence.elements()) {
            root.section(element, mapping, names).flatMap(this::stream).ifPresent(stream -> {
                if (different.add(stream.name())) {
                    streams.add(stream);
                } else {
                    problems.add(mapping.place(), key.name() + ": there are two streams called " + stream.name() + ".");
                }
            });
        }
        return streams;
    }

    private Optional<PacketStream> stream(MappingReader keys) {
        Pace pace = keys.quiet().get(ExperimentKeys.ONE_PACE);
        Map<Parameter<?>, Object> given = Map.of(
                TRANSPORT,
                "",
                RunParameters.PACKETS,
                packets(keys, pace).orElse(root.quiet().get(RunParameters.PACKETS)),
                SETTINGS,
                Settings.of(List.of(), Map.of()));
        Optional<PacketStream> read = keys.record(STREAM, null, given);
        Optional<Transport> over = keys.require(transport);
        return read.isEmpty() || over.isEmpty() ? Optional.empty() : over(over.get(), keys, read.get());
    }

    private Optional<PacketStream> over(Transport used, MappingReader keys, PacketStream stream) {
        Placed<SettingAxes<Transport>> settings = keys.settings(used, SETTINGS, keys.mapping());
        settings.value().values().forEach((name, values) -> {
            if (values.size() != 1) {
                keys.problems()
                        .add(
                                settings.place(),
                                keys.path(SETTINGS) + "." + name + ": a stream takes one value, not a list.");
            }
        });
        if (settings.value().combinationCount() != 1) {
            return Optional.empty();
        }
        if (!used.destinations(settings.value().combinations().get(0)).isEmpty()) {
            keys.problems()
                    .add(
                            settings.place(),
                            keys.path(SETTINGS) + ": a stream is sent to its receiver only; name another destination"
                                    + " in the transport's section, without streams.");
        }
        new CompatibilityCheck(keys.problems())
                .check(
                        List.of(settings),
                        List.of(new Placed<>(keys.nodeOrThis(PACKET_BYTES), stream.packetBytes())),
                        List.of(new Placed<>(keys.nodeOrThis(ExperimentKeys.ONE_PACE), stream.pace())),
                        MappingReader.values(root.quiet().list(RunParameters.STALL_TIMEOUT.list())).stream()
                                .min(Comparator.naturalOrder())
                                .orElse(RunParameters.STALL_TIMEOUT.defaultValue()));
        return Optional.of(STREAM.with(
                stream,
                Map.of(
                        TRANSPORT,
                        used.name(),
                        SETTINGS,
                        settings.value().combinations().get(0))));
    }

    /** Returns the stream's number of packets: as given, or as many as its duration takes. */
    private static Optional<Long> packets(MappingReader keys, Pace pace) {
        if (!keys.has(DURATION)) {
            return keys.read(RunParameters.PACKETS);
        }
        if (keys.has(RunParameters.PACKETS)) {
            keys.addAtKey(DURATION, "set packets or duration, not both.");
            return Optional.empty();
        }
        if (pace.mode() == Pace.Mode.FLOOD) {
            keys.addAtKey(DURATION, "a flood has no duration; set packets instead.");
            return Optional.empty();
        }
        return keys.read(DURATION.map(
                durationNs -> Quantities.within(pace.packetsIn(durationNs), 1, RunParameters.MAXIMUM_PACKETS),
                count -> count));
    }

    /** Returns streams as a user would write them; empty if there are none. */
    static String format(List<PacketStream> streams) {
        return streams.stream()
                .map(stream -> "\n  - " + YamlWriter.mapping(STREAM, stream))
                .collect(Collectors.joining());
    }

    private static String format(Settings settings) {
        return YamlWriter.mapping(settings.asText().entrySet().stream()
                .map(setting -> setting.getKey() + ": " + YamlWriter.scalar(setting.getValue()))
                .toList());
    }
}
