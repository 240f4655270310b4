package org.lagbench.core.yaml;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.engine.Engine;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.yaml.MappingReader.Placed;
import org.lagbench.core.yaml.TransportReader.TransportSection;
import org.lagbench.core.yaml.YamlNode.Mapping;
import org.lagbench.core.yaml.YamlNode.Scalar;
import org.lagbench.core.yaml.YamlNode.Sequence;

/**
 * Builds an experiment from a file's nodes: fills in the defaults and checks each value alone and against the other
 * values.
 */
final class ExperimentBuilder {
    private final Transports transports;
    private final Engines engines;
    private final boolean anyJvmOptions;
    private final Path file;
    private final SourceLocation wholeFile;
    private final Mapping root;
    private final MappingReader keys;
    private final Problems problems;

    ExperimentBuilder(
            Transports transports, Engines engines, boolean anyJvmOptions, Path file, Mapping root, Problems problems) {
        this.transports = transports;
        this.engines = engines;
        this.anyJvmOptions = anyJvmOptions;
        this.file = file;
        this.wholeFile = SourceLocation.file(file.toString());
        this.root = new Mapping(wholeFile, root.entries());
        this.keys = new MappingReader(this.root, "", problems);
        this.problems = problems;
    }

    /**
     * Builds the experiment.
     *
     * @throws LagbenchException with all errors, if there are any
     */
    Experiment build() throws LagbenchException {
        Experiment experiment = read();
        problems.throwIfAny();
        return experiment;
    }

    /** Builds the experiment, and collects the errors. If there are any, the result must not be used. */
    Experiment read() throws LagbenchException {
        Stream<String> sectionNames = Stream.concat(
                transports.names().stream(),
                engines.all().stream()
                        .filter(engine -> !engine.settings().isEmpty())
                        .map(Engine::name));
        keys.refuseUnknown(Stream.concat(ExperimentKeys.names(ExperimentKeys.ALL).stream(), sectionNames)
                .toList());
        long packets = keys.get(RunParameters.PACKETS);
        RunConditions conditions = keys.record(RunConditions.SECTION, RunConditions.DEFAULT, Map.of())
                .orElseThrow();
        Duration stallTimeout = conditions.stallTimeout();
        YamlNode streamsNode = keys.node(ExperimentKeys.STREAMS);
        List<PacketStream> streams = List.of();
        List<TransportSection> sections = List.of();
        Map<Traffic, List<Placed<Integer>>> sizes = Map.of();
        List<Placed<Pace>> paces = List.of();
        TrafficReader trafficReader = new TrafficReader(keys, problems);
        List<Placed<TrafficSpec>> traffics = trafficReader.read(stallTimeout);
        if (streamsNode != null
                && !(streamsNode instanceof Sequence list && list.elements().isEmpty())) {
            streams = new StreamReader(transports, packets, stallTimeout, problems).read(streamsNode);
            refuseBesideStreams();
        } else {
            sections = sections();
            sizes = new PacketSizeReader(keys, trafficReader, problems).read(traffics);
            paces = paces(traffics);
        }
        new CompatibilityCheck(problems).check(sections, PacketSizeReader.different(sizes), paces, stallTimeout);

        ProgramReader programReader = new ProgramReader(engines, anyJvmOptions, problems);
        List<Placed<Engine>> listed = keys.has(ExperimentKeys.ENGINE)
                ? keys.named(ExperimentKeys.ENGINE, "an engine", engines)
                : placed(List.of(engines.defaultEngine()));
        List<Program> programs = programReader.programs(listed, root, keys);
        Set<Observation> observed = programReader.observe(keys);
        programReader.check(listed, used(sections, streams), traffics, keys.place(ExperimentKeys.OBSERVE), observed);
        new CompatibilityCheck(problems).check(listed, sections, traffics);
        Network lab = lab();
        List<StreamRole.Direction> directions = keys.get(ExperimentKeys.DIRECTION);
        YamlNode tune = keys.node(ExperimentKeys.TUNE);
        long combinations = PacketSizeReader.count(sizes, traffics) * paces.size() * programs.size();
        Tuning tuning = tune == null ? null : new TuneReader(problems).read(tune, sections, combinations, lab);
        if (tuning != null && directions.size() > 1) {
            keys.addAtKey(ExperimentKeys.DIRECTION, "tune searches for one direction: forward or backward.");
        }
        YamlNode monitor = keys.node(ExperimentKeys.MONITOR);
        Experiment experiment = new Experiment(
                keys.get(RunParameters.NAME, nameOfFile()),
                packets,
                keys.get(RunParameters.WARM_UP_PACKETS),
                keys.get(ExperimentKeys.REPEATS),
                sections.stream().map(TransportSection::axes).toList(),
                PacketSizeReader.values(sizes),
                MappingReader.values(traffics),
                MappingReader.values(paces),
                directions,
                streams,
                programs,
                observed,
                keys.get(ExperimentKeys.ORDER).orElse(null),
                keys.get(ExperimentKeys.SEED).orElse(null),
                keys.get(ExperimentKeys.RECEIVER).orElse(null),
                keyFile(),
                keys.get(ExperimentKeys.DATA_HOST).orElse(null),
                lab,
                tuning,
                monitor == null ? null : new MonitorReader(transports, engines, file, keys, problems).read(monitor),
                keys.get(ExperimentKeys.CAPACITY).orElse(null),
                keys.get(ExperimentKeys.CLOCK),
                conditions);
        if (experiment.runCount() > Experiment.MAXIMUM_RUNS) {
            problems.add(
                    wholeFile,
                    "this makes more runs than " + Experiment.MAXIMUM_RUNS
                            + "; take values out of the lists, or repeats.");
        } else {
            checkOrder(experiment);
        }
        return experiment;
    }

    /** Checks that the axis of the order has several values. */
    private void checkOrder(Experiment experiment) {
        String axis = experiment.pairsOf();
        if (axis == null) {
            return;
        }
        List<PointAxes> points = experiment.axes();
        long values = points.stream()
                .map(point -> point.value(axis))
                .filter(Objects::nonNull)
                .distinct()
                .count();
        if (values < 2) {
            Set<String> varied = PointAxes.varied(points).keySet();
            keys.add(
                    ExperimentKeys.ORDER,
                    "there are no pairs of " + axis + ", because it "
                            + (values == 0 ? "is not an axis" : "has one value") + "; "
                            + (varied.isEmpty()
                                    ? "no key has several values."
                                    : "the axes with several values are " + String.join(", ", varied) + "."));
        }
    }

    private List<TransportSection> sections() {
        List<Placed<Transport>> listed = keys.has(ExperimentKeys.TRANSPORTS)
                ? keys.named(ExperimentKeys.TRANSPORTS, "a transport", transports)
                : placed(defaultTransports());
        return new TransportReader(problems).read(root, transports, listed, keys.place(ExperimentKeys.TRANSPORTS));
    }

    /** Returns all transports; for a monitor only those with sockets, because its receiver may be on any host. */
    private List<Transport> defaultTransports() {
        boolean isMonitor = keys.node(ExperimentKeys.MONITOR) instanceof Mapping;
        return transports.all().stream()
                .filter(transport -> !isMonitor || transport.usesSockets())
                .toList();
    }

    private List<Placed<Pace>> paces(List<Placed<TrafficSpec>> traffics) {
        YamlNode node = keys.node(ExperimentKeys.PACE);
        Pace defaultPace = TrafficReader.areTransfers(traffics) ? Pace.flood() : PaceReader.DEFAULT;
        return node == null ? placed(List.of(defaultPace)) : new PaceReader(problems).read(keys, node);
    }

    /** Returns default values, with the whole file as their location. */
    private <T> List<Placed<T>> placed(List<T> defaults) {
        return defaults.stream().map(value -> new Placed<>(wholeFile, value)).toList();
    }

    /** Returns the transports over which the experiment sends. */
    private List<Transport> used(List<TransportSection> sections, List<PacketStream> streams) {
        Set<String> names = Stream.concat(
                        sections.stream().map(section -> section.transport().name()),
                        streams.stream().map(PacketStream::transport))
                .collect(Collectors.toSet());
        return transports.all().stream()
                .filter(transport -> names.contains(transport.name()))
                .toList();
    }

    /**
     * Refuses keys that an experiment with streams has in each stream, and a receiver that the sweep does not start.
     */
    private void refuseBesideStreams() {
        List<Parameter<?>> own = new ArrayList<>(List.of(
                ExperimentKeys.TRANSPORTS, ExperimentKeys.PACKET_BYTES, ExperimentKeys.PACE, ExperimentKeys.DIRECTION));
        transports.names().forEach(name -> own.add(Parameter.text(name, "")));
        for (Parameter<?> key : own) {
            if (keys.has(key)) {
                keys.addAtKey(key, "each of the streams has its own; leave this out, or take the streams out.");
            }
        }
        if (keys.has(ExperimentKeys.TRAFFIC)) {
            keys.addAtKey(ExperimentKeys.TRAFFIC, "streams are one-way; leave this out, or take the streams out.");
        }
        if (!isReceiverLocal()) {
            keys.addAtKey(
                    ExperimentKeys.RECEIVER,
                    "streams are received on this machine, each by its own receiver, because a receiver that is"
                            + " already running serves one run at a time; leave it at " + ExperimentKeys.LOCAL + ".");
        }
    }

    private boolean isReceiverLocal() {
        return !keys.has(ExperimentKeys.RECEIVER) || keys.isWord(ExperimentKeys.RECEIVER, ExperimentKeys.LOCAL);
    }

    private @Nullable Network lab() throws LagbenchException {
        YamlNode node = keys.node(ExperimentKeys.LAB);
        if (node == null) {
            return null;
        }
        Network lab = NetworkReader.read(ExperimentKeys.LAB, node, directory(node), problems);
        if (lab != null && !isReceiverLocal()) {
            keys.add(
                    ExperimentKeys.LAB,
                    "a lab is made on this machine, but the receiver is elsewhere; leave out one of the two.");
        }
        return lab;
    }

    private @Nullable Path keyFile() {
        Parameter<String> key = ExperimentKeys.KEY_FILE;
        YamlNode node = keys.node(key);
        if (node == null || node.isNothing() || (node instanceof Scalar scalar && "~".equals(scalar.text()))) {
            return null;
        }
        Path directory = directory(node);
        // InvalidPathException, for what the platform does not accept as a path, is an IllegalArgumentException.
        return keys.read(key.map(text -> path(directory, text), Path::toString)).orElse(null);
    }

    /** Returns where relative paths start: the file's directory, or the current one for the command line. */
    private Path directory(YamlNode node) {
        return node.place().isOverride() ? Path.of("") : file.resolveSibling("");
    }

    private static Path path(Path directory, String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("no path");
        }
        return directory.resolve(text).toAbsolutePath().normalize();
    }

    /** Returns the file's name without its extension, with a hyphen for each character that a name must not have. */
    private String nameOfFile() {
        Path fileName = file.getFileName();
        String name = (fileName == null ? "" : fileName.toString())
                .replaceFirst("\\.ya?ml$", "")
                .replaceAll("[^A-Za-z0-9._-]", "-")
                .replaceFirst("^[._-]+", "");
        String shortened = name.substring(0, Math.min(name.length(), 100));
        return shortened.isEmpty() ? "experiment" : shortened;
    }
}
