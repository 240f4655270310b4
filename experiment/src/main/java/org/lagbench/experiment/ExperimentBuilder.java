package org.lagbench.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Registry;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.text.Suggestion;
import org.lagbench.experiment.MappingReader.Placed;
import org.lagbench.experiment.YamlNode.Mapping;
import org.lagbench.experiment.YamlNode.Scalar;
import org.lagbench.experiment.YamlNode.Sequence;

/**
 * Builds an experiment from a file's nodes: fills in the defaults and checks each value alone and against the other
 * values.
 *
 * @param keys the keys of the file
 */
record ExperimentBuilder(ExperimentReader reader, Path file, MappingReader keys) {
    private static final String WITHOUT_HOST =
            "both sides run on this machine, so it has no effect; leave it out, or name the receiver's host.";

    ExperimentBuilder(ExperimentReader reader, Path file, Mapping root, Problems problems) {
        this(reader, file, new MappingReader(file(file, root), "", problems));
    }

    /** Returns the keys of a file with the whole file as their location. */
    private static Mapping file(Path file, Mapping root) {
        return new Mapping(YamlNode.SourceLocation.file(file.toString()), root.entries());
    }

    /**
     * Builds the experiment.
     *
     * @throws LagbenchException with all errors, if there are any
     */
    Experiment build() throws LagbenchException {
        Experiment experiment = read();
        keys.problems().throwIfAny();
        return experiment;
    }

    /** Builds the experiment, and collects the errors. If there are any, the result must not be used. */
    Experiment read() throws LagbenchException {
        Transports transports = reader.transports();
        Engines engines = reader.engines();
        List<String> known = new ArrayList<>(ExperimentKeys.names(ExperimentKeys.ALL));
        known.addAll(transports.names());
        known.addAll(sectionsOf(engines));
        keys.refuseUnknown(known);
        List<Traffic> kinds = MappingReader.values(keys.quiet().list(ExperimentKeys.TRAFFIC));
        List<Placed<SettingAxes<Transport>>> sections = List.of();
        Map<Traffic, List<Placed<Integer>>> sizes = Map.of();
        List<PacketStream> streams = List.of();
        List<Placed<Pace>> paces = List.of();
        YamlNode streamsNode = keys.node(ExperimentKeys.STREAMS);
        if (streamsNode != null
                && !(streamsNode instanceof Sequence list && list.elements().isEmpty())) {
            streams = new StreamReader(transports, keys).read(streamsNode);
            refuseBesideStreams();
        } else {
            List<Placed<Transport>> listed =
                    listed(ExperimentKeys.TRANSPORTS, "a transport", transports, defaultTransports(), this::engineHint);
            sections = axes(listed, transports, transports.names(), keys.nodeOrThis(ExperimentKeys.TRANSPORTS));
            sizes = new PacketSizeReader(keys).read(kinds);
            boolean areTransfers = PacketSizeReader.areTransfers(kinds);
            paces = keys.list(ExperimentKeys.PACE.byDefault(
                    List.of(areTransfers ? Pace.flood() : ExperimentKeys.ONE_PACE.defaultValue())));
        }
        List<Transport> sent =
                MappingReader.values(sections).stream().map(SettingAxes::owner).toList();
        List<Placed<Engine>> named = listed(
                ExperimentKeys.ENGINE, "an engine", engines, List.of(), name -> Suggestion.hint(name, engines.names()));
        List<Placed<Engine>> listed = withLibraries(named, sent);
        List<Placed<SettingAxes<Engine>>> ofEngines = axes(listed, engines, sectionsOf(engines), keys.mapping());
        Map<Parameter<?>, Object> given = new HashMap<>(Map.of(
                RunParameters.NAME, keys.get(RunParameters.NAME, ExperimentFile.name(file, "experiment")),
                ExperimentKeys.TRANSPORTS, MappingReader.values(sections),
                ExperimentKeys.PACKET_BYTES, PacketSizeReader.values(sizes),
                ExperimentKeys.PACE, MappingReader.values(paces),
                ExperimentKeys.STREAMS, streams,
                ExperimentKeys.ENGINE, MappingReader.values(ofEngines),
                ExperimentKeys.KEY_FILE, keyFile(),
                ExperimentKeys.LAB, lab(),
                ExperimentKeys.TUNE, Optional.empty(),
                ExperimentKeys.MONITOR, new MonitorReader(reader, file, keys).read()));
        Experiment untuned = keys.record(ExperimentKeys.EXPERIMENT, null, given).orElseThrow();
        Experiment experiment = ExperimentKeys.EXPERIMENT.with(
                untuned, Map.of(ExperimentKeys.TUNE, new TuneReader(keys).read(untuned)));
        List<TrafficSpec> traffics = experiment.traffics();
        checkTraffic(experiment);
        checkPath(experiment);
        checkJvmOptions();
        CompatibilityCheck check = new CompatibilityCheck(keys.problems());
        List<Placed<Integer>> checked = new PacketSizeReader(keys).check(sizes, traffics);
        check.check(sections, checked, paces, experiment.axes().stallTimeout());
        check.checkPackets(ofEngines, checked, traffics);
        check.check(
                engines,
                listed,
                used(experiment),
                experiment.concurrent().areDifferent(),
                traffics,
                keys.place(ExperimentKeys.OBSERVE),
                Set.copyOf(experiment.base().observe()));
        check.check(listed, sections, traffics);
        if (experiment.runCount() > Experiment.MAXIMUM_RUNS) {
            keys.problems()
                    .add(
                            keys.place(),
                            "this makes more runs than " + Experiment.MAXIMUM_RUNS
                                    + "; take values out of the lists, or repeats.");
        } else if (keys.problems().areNone()) { // the points of a wrong experiment cannot be made
            checkOrder(experiment);
        }
        return experiment;
    }

    /**
     * Adds the engines that the transports of libraries need. Messages about an added engine have the location of the
     * key.
     */
    private List<Placed<Engine>> withLibraries(List<Placed<Engine>> named, List<Transport> transports) {
        Map<Engine, Placed<Engine>> places = new HashMap<>();
        named.forEach(engine -> places.put(engine.value(), engine));
        return reader.engines().withLibraries(MappingReader.values(named), transports).stream()
                .map(engine ->
                        places.getOrDefault(engine, new Placed<>(keys.nodeOrThis(ExperimentKeys.ENGINE), engine)))
                .toList();
    }

    /** Returns the names of the engines that have settings, and so a section. */
    private static List<String> sectionsOf(Engines engines) {
        return engines.all().stream()
                .filter(engine -> !engine.settings().isEmpty())
                .map(Engine::name)
                .toList();
    }

    /** Returns the entries of a registry that a key lists; by default with the whole file as their location. */
    private <T extends Registry.Named> List<Placed<T>> listed(
            Parameter<?> key, String kind, Registry<T> registry, List<T> absent, UnaryOperator<String> hint) {
        return keys.list(ExperimentKeys.named(key, kind, registry, hint).byDefault(absent));
    }

    /** Returns what to write in place of a transport that does not exist: QUIC, for example, is an engine over UDP. */
    private String engineHint(String name) {
        List<String> transports = reader.engines().find(name).stream()
                .flatMap(engine -> reader.transports().all().stream()
                        .filter(transport -> engine.serves(transport, Traffic.ONE_WAY)))
                .map(Transport::name)
                .toList();
        return transports.isEmpty()
                ? Suggestion.hint(name, reader.transports().names())
                : "it is an engine over " + String.join(" and ", transports) + ", so write " + transports.get(0)
                        + " with engine " + name + ".";
    }

    /**
     * Returns listed transports or engines with their settings; reads the settings of all.
     *
     * @param sections the names of the transports or engines that may have a section
     * @param elsewhere the location of settings without a section, in messages
     */
    private <T extends Registry.Named> List<Placed<SettingAxes<T>>> axes(
            List<Placed<T>> listed, Registry<T> registry, List<String> sections, YamlNode elsewhere) {
        Map<T, Placed<SettingAxes<T>>> axes = new HashMap<>();
        for (T owner : registry.all()) {
            Parameter<?> key = Parameter.text(sections.contains(owner.name()) ? owner.name() : "", "");
            axes.put(owner, keys.settings(owner, key, elsewhere));
        }
        return listed.stream()
                .map(owner -> Objects.requireNonNull(axes.get(owner.value())))
                .toList();
    }

    /**
     * Checks the keys that belong to one kind of traffic. Their defaults are accepted with all traffic, because a
     * written experiment has all keys.
     */
    private void checkTraffic(Experiment experiment) {
        long replyNs = experiment.base().replyTimeout().toNanos();
        long stallNs = experiment.axes().stallTimeout().toNanos();
        if (experiment.axes().kinds().contains(Traffic.ROUND_TRIP) && replyNs >= stallNs) {
            keys.add(
                    RunParameters.REPLY_TIMEOUT,
                    Durations.format(replyNs) + " is not accepted; it must be shorter than "
                            + RunParameters.STALL_TIMEOUT + ", " + Durations.format(stallNs) + ".");
        }
        Map<Traffic, List<Parameter<?>>> owned = Map.of(
                Traffic.ROUND_TRIP,
                List.of(RunParameters.IN_FLIGHT, RunParameters.REPLY_TIMEOUT),
                Traffic.TRANSFER,
                List.of(
                        ExperimentKeys.TRANSFER_BYTES,
                        RunParameters.TRANSFERS,
                        RunParameters.CONNECTION,
                        ExperimentKeys.CODEC));
        owned.forEach((owner, parameters) -> {
            for (Parameter<?> key : parameters) {
                if (!experiment.axes().kinds().contains(owner) && keys.isSet(key)) {
                    keys.addAtKey(
                            key,
                            "only " + ExperimentKeys.TRAFFIC + ": " + owner.text()
                                    + " has it; leave it out, or name that traffic.");
                }
            }
        });
        if (experiment.axes().codecs().equals(List.of(CompressionSpec.OFF)) && keys.isSet(ExperimentKeys.DATA)) {
            keys.addAtKey(ExperimentKeys.DATA, "only compressed transfers have it; leave it out, or name a codec.");
        }
    }

    /** Refuses the ends of packets to another host if there is none. */
    private void checkPath(Experiment experiment) {
        Monitoring monitoring = experiment.monitor();
        if (!isReceiverLocal() || (monitoring != null && !monitoring.targets().isEmpty())) {
            return;
        }
        if (keys.isSet(ExperimentKeys.DATA_HOST)) {
            keys.addAtKey(ExperimentKeys.DATA_HOST, WITHOUT_HOST);
        }
        if (keys.node(ExperimentKeys.LOCAL_END) instanceof Mapping local) {
            MappingReader end = new MappingReader(local, ExperimentKeys.LOCAL_END + ".", keys.problems());
            LocalEnd.SECTION.parameters().stream()
                    .filter(end::isSet)
                    .forEach(parameter -> end.addAtKey(parameter, WITHOUT_HOST));
        }
    }

    private void checkJvmOptions() {
        for (Placed<JvmOptions> options : keys.quiet().list(ExperimentKeys.JVM)) {
            for (String option :
                    reader.anyJvmOptions() ? List.<String>of() : options.value().doubtful()) {
                keys.problems()
                        .add(
                                options.place(),
                                ExperimentKeys.JVM + ": \"" + option + "\" may load code, open a port or write a file."
                                        + " To use it, give " + ExperimentReader.ALLOW_JVM_OPTIONS
                                        + " to sweep, tune, run or monitor.");
            }
        }
    }

    /** Checks that the axis of the order has several values. */
    private void checkOrder(Experiment experiment) {
        String axis = experiment.grid().pairsOf();
        if (axis == null) {
            return;
        }
        List<Map<String, String>> points = experiment.values();
        long values = points.stream()
                .map(point -> Axis.value(point, axis))
                .filter(Objects::nonNull)
                .distinct()
                .count();
        if (values < 2) {
            Set<String> varied = Axis.varied(points).keySet();
            keys.add(
                    ExperimentKeys.ORDER,
                    "there are no pairs of " + axis + ", because it "
                            + (values == 0 ? "is not an axis" : "has one value") + "; "
                            + (varied.isEmpty()
                                    ? "no key has several values."
                                    : "the axes with several values are " + String.join(", ", varied) + "."));
        }
    }

    /**
     * Returns all transports that need no library; for a monitor only those over IP, because its receiver may be on any
     * host.
     */
    private List<Transport> defaultTransports() {
        boolean isMonitor = keys.node(ExperimentKeys.MONITOR) instanceof Mapping;
        return reader.transports().all().stream()
                .filter(transport -> transport.wire() != Wire.LIBRARY)
                .filter(transport -> !isMonitor || transport.wire().isOverIp())
                .toList();
    }

    /** Returns the transports over which the experiment sends. */
    private List<Transport> used(Experiment experiment) {
        Set<String> names = Stream.concat(
                        experiment.axes().transports().stream().map(SettingAxes::name),
                        experiment.concurrent().streams().stream().map(PacketStream::transport))
                .collect(Collectors.toSet());
        return reader.transports().all().stream()
                .filter(transport -> names.contains(transport.name()))
                .toList();
    }

    /**
     * Refuses keys that an experiment with streams has in each stream, and a receiver that the sweep does not start.
     */
    private void refuseBesideStreams() {
        List<Parameter<?>> own = new ArrayList<>(List.of(
                ExperimentKeys.TRANSPORTS,
                ExperimentKeys.PACKET_BYTES,
                ExperimentKeys.PACE,
                ExperimentKeys.DIRECTION,
                ExperimentKeys.PARALLEL));
        reader.transports().names().forEach(name -> own.add(Parameter.text(name, "")));
        for (Parameter<?> key : own) {
            if (keys.isSet(key)) {
                keys.addAtKey(key, "each of the streams has its own; leave this out, or take the streams out.");
            }
        }
        if (keys.isSet(ExperimentKeys.TRAFFIC)) {
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

    private Optional<Network> lab() throws LagbenchException {
        YamlNode node = keys.node(ExperimentKeys.LAB);
        if (node == null) {
            return Optional.empty();
        }
        Optional<Network> lab = NetworkReader.read(ExperimentKeys.LAB, node, directory(node), keys);
        if (lab.isPresent() && !isReceiverLocal()) {
            keys.add(
                    ExperimentKeys.LAB,
                    "a lab is created on this machine, but the receiver is elsewhere; leave out lab or receiver.");
        }
        return lab;
    }

    private Optional<Path> keyFile() {
        Parameter<Optional<Path>> key = ExperimentKeys.KEY_FILE;
        YamlNode node = keys.node(key);
        if (node == null || (node instanceof Scalar scalar && "~".equals(scalar.text()))) {
            return Optional.empty();
        }
        // InvalidPathException, for what the platform does not accept as a path, is an IllegalArgumentException.
        return keys.get(key)
                .map(path -> directory(node).resolve(path).toAbsolutePath().normalize());
    }

    /** Returns where relative paths start: the file's directory, or the current one for the command line. */
    private Path directory(YamlNode node) {
        return node.place().isOverride() ? Path.of("") : file.resolveSibling("");
    }
}
