package org.lagbench.core.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.engine.Engine;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.experiment.TransportReader.Section;
import org.lagbench.core.experiment.ValueReader.Placed;
import org.lagbench.core.experiment.YamlNode.Entry;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.experiment.YamlNode.Scalar;
import org.lagbench.core.experiment.YamlNode.Sequence;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.Network;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.time.Intervals;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;
import org.lagbench.core.tune.Tuning;

/** Makes an experiment of a file's nodes: fills in the defaults, checks each value and what they mean together. */
final class ExperimentBuilder {
    private final List<Transport> transports;
    private final Engines engines;
    private final Path file;
    private final Mapping root;
    private final Problems problems;
    private final ValueReader values;

    ExperimentBuilder(Transports transports, Engines engines, Path file, Mapping root, Problems problems) {
        this.transports = List.copyOf(transports.all());
        this.engines = engines;
        this.file = file;
        this.root = root;
        this.problems = problems;
        this.values = new ValueReader(problems);
    }

    /**
     * Makes the experiment.
     *
     * @throws LagbenchException if anything is wrong, with all of it
     */
    Experiment build() throws LagbenchException {
        values.refuseUnknown(
                root,
                "",
                Stream.concat(
                                ExperimentKey.texts().stream(),
                                transports.stream().map(Transport::name))
                        .toList());
        long packets = one(ExperimentKey.PACKETS, text -> ValueReader.number(text, 1, RunSpec.MAXIMUM_PACKETS));
        Duration stallTimeout = one(
                ExperimentKey.STALL_TIMEOUT,
                text -> duration(text, RunSpec.MINIMUM_STALL_TIMEOUT, RunSpec.MAXIMUM_STALL_TIMEOUT));
        YamlNode streamsNode = node(ExperimentKey.STREAMS);
        List<PacketStream> streams = new StreamReader(transports, packets, stallTimeout, problems).read(streamsNode);
        boolean hasStreams =
                !(streamsNode instanceof Sequence list) || !list.elements().isEmpty();
        if (hasStreams) {
            refuseBesideStreams();
        }
        List<Section> sections = hasStreams
                ? List.of()
                : new TransportReader(transports, problems).read(root, node(ExperimentKey.TRANSPORTS));
        List<Placed<Integer>> sizes = hasStreams
                ? List.of()
                : values.many(
                        ExperimentKey.PACKET_BYTES.text(),
                        node(ExperimentKey.PACKET_BYTES),
                        ExperimentKey.PACKET_BYTES.accepted(),
                        text -> (int) ValueReader.number(text, RunSpec.MINIMUM_PACKET_BYTES, Integer.MAX_VALUE));
        List<Placed<Pace>> paces = hasStreams ? List.of() : new PaceReader(problems).read(node(ExperimentKey.PACE));
        new CompatibilityCheck(problems).check(sections, sizes, paces, stallTimeout);

        ProgramReader programReader = new ProgramReader(engines, problems);
        List<Placed<Engine>> listed = programReader.engines(node(ExperimentKey.ENGINE));
        List<Program> programs = programReader.programs(listed, node(ExperimentKey.JVM));
        YamlNode observeNode = node(ExperimentKey.OBSERVE);
        Set<Observation> observed = programReader.observe(observeNode);
        programReader.check(listed, used(sections, streams), observeNode, observed);
        new CompatibilityCheck(problems).check(listed, sections);
        Network lab = lab();
        Experiment experiment = new Experiment(
                one(ExperimentKey.NAME, ExperimentBuilder::name),
                packets,
                one(ExperimentKey.WARM_UP_PACKETS, text -> ValueReader.number(text, 0, RunSpec.MAXIMUM_PACKETS)),
                one(ExperimentKey.REPEATS, text -> (int) ValueReader.number(text, 1, Experiment.MAXIMUM_REPEATS)),
                sections.stream().map(Section::axes).toList(),
                sizes.stream().map(Placed::value).toList(),
                paces.stream().map(Placed::value).toList(),
                streams,
                programs,
                observed,
                one(ExperimentKey.SEED, ExperimentBuilder::seed).orElse(null),
                one(ExperimentKey.RECEIVER, ExperimentBuilder::receiver).orElse(null),
                keyFile(),
                lab,
                tune(sections, (long) sizes.size() * paces.size(), programs.size(), lab),
                new ClockReader(problems).read(node(ExperimentKey.CLOCK)),
                one(ExperimentKey.DRAIN, text -> duration(text, Duration.ZERO, RunSpec.MAXIMUM_DRAIN)),
                stallTimeout);
        if (experiment.runCount() > Experiment.MAXIMUM_RUNS) {
            problems.add(
                    SourceLocation.file(file.toString()),
                    "this makes more runs than " + Experiment.MAXIMUM_RUNS
                            + "; take values out of the lists, or repeats.");
        }
        problems.throwIfAny();
        return experiment;
    }

    /** The transports over which the experiment sends. */
    private List<Transport> used(List<Section> sections, List<PacketStream> streams) {
        return transports.stream()
                .filter(transport -> sections.stream()
                                .anyMatch(section -> section.transport().equals(transport))
                        || streams.stream()
                                .anyMatch(stream -> stream.transport().equals(transport.name())))
                .toList();
    }

    /** A stream has all that these keys tell for itself, and both its ends are started by the sweep. */
    private void refuseBesideStreams() {
        List<String> own = new ArrayList<>(
                List.of(ExperimentKey.TRANSPORTS.text(), ExperimentKey.PACKET_BYTES.text(), ExperimentKey.PACE.text()));
        transports.forEach(transport -> own.add(transport.name()));
        for (String key : own) {
            Entry entry = root.entries().get(key);
            if (entry != null) {
                problems.add(
                        entry.keyPlace(),
                        key + ": each of the streams has its own; leave this out, or take the streams out.");
            }
        }
        Entry receiver = root.entries().get(ExperimentKey.RECEIVER.text());
        if (receiver != null
                && !(receiver.value() instanceof Scalar scalar && ExperimentKey.LOCAL.equals(scalar.text()))) {
            problems.add(
                    receiver.keyPlace(),
                    ExperimentKey.RECEIVER.text() + ": streams are received on this machine, each by a receiver of its"
                            + " own, for one that was started before takes one run at a time; leave it at "
                            + ExperimentKey.LOCAL + ".");
        }
    }

    /** A key's single value, or its default where it is absent or refused. */
    private <T> T one(ExperimentKey key, Function<String, T> parser) {
        return values.one(key.text(), node(key), key.accepted(), parser)
                .orElseGet(() -> parser.apply(defaultText(key)));
    }

    /** What the file says for a key, or its default. */
    private YamlNode node(ExperimentKey key) {
        Entry entry = root.entries().get(key.text());
        return entry == null ? defaultNode(key) : entry.value();
    }

    private YamlNode defaultNode(ExperimentKey key) {
        SourceLocation place = SourceLocation.file(file.toString());
        return switch (key) {
            case NAME -> new Scalar(place, nameOfFile());
            case ENGINE -> new Scalar(place, engines.defaultEngine().name());
            case TRANSPORTS ->
                new Sequence(
                        place,
                        transports.stream()
                                .map(transport -> (YamlNode) new Scalar(place, transport.name()))
                                .toList());
            default -> YamlReader.readKnown(key.defaultYaml(), place);
        };
    }

    private String defaultText(ExperimentKey key) {
        return key == ExperimentKey.NAME ? nameOfFile() : key.defaultYaml();
    }

    /** The file's name without its extension, with a hyphen for each character that a name must not have. */
    private String nameOfFile() {
        Path fileName = file.getFileName();
        String name = (fileName == null ? "" : fileName.toString())
                .replaceFirst("\\.ya?ml$", "")
                .replaceAll("[^A-Za-z0-9._-]", "-")
                .replaceFirst("^[._-]+", "");
        String shortened = name.substring(0, Math.min(name.length(), 100));
        return shortened.isEmpty() ? "experiment" : shortened;
    }

    private static String name(String text) {
        if (!RunSpec.NAME.matcher(text).matches()) {
            throw new IllegalArgumentException(text + " is not a name");
        }
        return text;
    }

    private static Optional<Long> seed(String text) {
        return text.equals(ExperimentKey.AUTO)
                ? Optional.empty()
                : Optional.of(ValueReader.number(text, 0, Long.MAX_VALUE));
    }

    private static Optional<Endpoint> receiver(String text) {
        if (text.equals(ExperimentKey.LOCAL)) {
            return Optional.empty();
        }
        Endpoint receiver = Endpoint.parse(text);
        if (receiver.port() == 0) {
            throw new IllegalArgumentException("port 0 is nobody's");
        }
        return Optional.of(receiver);
    }

    private static Duration duration(String text, Duration minimum, Duration maximum) {
        Duration duration = Duration.ofNanos(Intervals.parseNs(text));
        if (duration.compareTo(minimum) < 0 || duration.compareTo(maximum) > 0) {
            throw new IllegalArgumentException(text + " is out of range");
        }
        return duration;
    }

    private @Nullable Network lab() throws LagbenchException {
        YamlNode node = node(ExperimentKey.LAB);
        Network lab = new LabReader(problems, ExperimentKey.LAB.text() + ".").read(node, directory(node));
        YamlNode receiver = node(ExperimentKey.RECEIVER);
        if (lab != null && !(receiver instanceof Scalar scalar && ExperimentKey.LOCAL.equals(scalar.text()))) {
            problems.add(
                    node.place(),
                    ExperimentKey.LAB.text() + ": a lab is made on this machine, but the receiver is elsewhere; leave"
                            + " out one of the two.");
        }
        return lab;
    }

    private @Nullable Tuning tune(List<Section> sections, long points, long programs, @Nullable Network lab) {
        return new TuneReader(problems).read(node(ExperimentKey.TUNE), sections, points * programs, lab);
    }

    /** Where a path begins: in a file at the file's directory, on the command line at the current one. */
    private Path directory(YamlNode node) {
        return node.place().isOverride() ? Path.of("") : file.resolveSibling("");
    }

    /**
     * The key's path: as the file means it from the file's directory, as the command line means it from the current.
     */
    private @Nullable Path keyFile() {
        YamlNode node = node(ExperimentKey.KEY_FILE);
        if (node instanceof Scalar scalar
                && (scalar.text() == null || scalar.text().equals("~"))) {
            return null;
        }
        Path directory = directory(node);
        return values.one(
                        ExperimentKey.KEY_FILE.text(),
                        node,
                        ExperimentKey.KEY_FILE.accepted(),
                        text -> path(directory, text))
                .orElse(null);
    }

    /** InvalidPathException, for what the platform does not take as a path, is an IllegalArgumentException. */
    private static Path path(Path directory, String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("no path");
        }
        return directory.resolve(text).toAbsolutePath().normalize();
    }
}
