package org.lagbench.experiment;

import static org.lagbench.core.model.NetworkParameters.BACKEND;
import static org.lagbench.core.model.NetworkParameters.BOTH_WAYS;
import static org.lagbench.core.model.NetworkParameters.DIRECTION;
import static org.lagbench.core.model.NetworkParameters.EDGE_RATE;
import static org.lagbench.core.model.NetworkParameters.FLOWS;
import static org.lagbench.core.model.NetworkParameters.FORWARD;
import static org.lagbench.core.model.NetworkParameters.NAME;
import static org.lagbench.core.model.NetworkParameters.NETWORK;
import static org.lagbench.core.model.NetworkParameters.REVERSE;
import static org.lagbench.core.model.NetworkParameters.SITES;
import static org.lagbench.core.model.NetworkParameters.SITE_NAME;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.LinkDirection;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Network.SiteLink;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.text.Suggestion;
import org.lagbench.experiment.MappingReader.Placed;
import org.lagbench.experiment.YamlNode.Mapping;
import org.lagbench.experiment.YamlNode.Scalar;
import org.lagbench.experiment.YamlNode.Sequence;

/**
 * Reads and writes networks: the built-in ones, and descriptions in files and experiments. The result is a network
 * whose every value is within its range, or a {@link LagbenchException} with a line for each error.
 */
public final class NetworkReader {
    private static final List<String> BUILT_IN =
            List.of("ethernet-10", "ethernet-100", "gigabit", "wifi-like", "long-fat", "dumbbell");
    private static final String NAMES = "(" + String.join(", ", BUILT_IN) + ")";
    static final String ACCEPTED = Parameter.NONE + ", a network " + NAMES
            + ", the path of a file with one (….yaml), or a description as in configs/networks/reference.yaml";

    private static final Parameter<String> LIKE = Parameter.text(
                    "like", Pattern.compile(String.join("|", BUILT_IN)), "the name of a network " + NAMES)
            .byDefault("");

    private static final List<Parameter<?>> KEYS = keysOfDescription();

    private static final LinkDirection DEFAULT_DIRECTION = DIRECTION.createDefault();
    private static final Network DEFAULT =
            NETWORK.createDefault(Map.of(FORWARD, DEFAULT_DIRECTION, REVERSE, DEFAULT_DIRECTION));

    private NetworkReader() {}

    private static List<Parameter<?>> keysOfDescription() {
        List<Parameter<?>> keys = new ArrayList<>(NETWORK.keys());
        keys.add(1, LIKE);
        keys.addAll(6, DIRECTION.parameters());
        return List.copyOf(keys);
    }

    /** Returns the names of the built-in networks. */
    public static List<String> names() {
        return BUILT_IN;
    }

    /** Returns all parameters of a description by their keys; those of a flow are {@code flows.key}. */
    public static Map<String, Parameter<?>> keys() {
        return ExperimentReader.withSections("", KEYS);
    }

    /** Returns a built-in network, one from a file whose name ends in .yaml or .yml, or a description in braces. */
    public static Network named(String nameOrFile) throws LagbenchException {
        if (nameOrFile.startsWith("{")) {
            return parse(nameOrFile, "description", DEFAULT.name());
        }
        return find(nameOrFile, Path.of(""))
                .orElseThrow(() -> ExitCode.USAGE.failure(
                        "Unknown network \"" + nameOrFile + "\"; " + Suggestion.hint(nameOrFile, BUILT_IN)
                                + " Or give a .yaml file, or a description: {rate: 10mbit}."));
    }

    /** Returns the network that a name or a path stands for; empty if it is neither. */
    private static Optional<Network> find(String nameOrFile, Path directory) throws LagbenchException {
        if (BUILT_IN.contains(nameOrFile)) {
            return Optional.of(parse(builtIn(nameOrFile), nameOrFile, nameOrFile));
        }
        boolean isFile = nameOrFile.endsWith(".yaml") || nameOrFile.endsWith(".yml");
        return isFile ? Optional.of(read(directory.resolve(nameOrFile))) : Optional.empty();
    }

    private static String builtIn(String name) {
        String resource = "networks/" + name + ".yaml";
        try (InputStream in = Objects.requireNonNull(NetworkReader.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a network from a file. */
    public static Network read(Path file) throws LagbenchException {
        return parse(ExperimentFile.read(file), file.toString(), ExperimentFile.name(file, DEFAULT.name()));
    }

    private static Network parse(String text, String source, String defaultName) throws LagbenchException {
        Problems problems = new Problems();
        YamlNode.SourceLocation place = YamlNode.SourceLocation.file(source);
        Mapping mapping =
                YamlReader.readMapping(text, place, "a network has keys with values, such as rate: 100mbit.", problems);
        Network network = description(new MappingReader(mapping, "", problems), defaultName);
        problems.throwIfAny();
        return network;
    }

    /**
     * Reads the value of a key: none, the name of a built-in network, a file with a description, or the description.
     *
     * @param directory where relative paths start
     * @return nothing for none, and for a value that was refused
     */
    static Optional<Network> read(Parameter<?> key, YamlNode node, Path directory, MappingReader keys)
            throws LagbenchException {
        if (node instanceof Mapping mapping) {
            MappingReader description = new MappingReader(mapping, keys.path(key) + ".", keys.problems());
            return Optional.of(description(description, DEFAULT.name()));
        }
        if (!(node instanceof Scalar scalar) || scalar.text() == null) {
            keys.problems().refuse(key.name(), node, ACCEPTED);
            return Optional.empty();
        }
        String text = scalar.text();
        if (text.equals(Parameter.NONE)) {
            return Optional.empty();
        }
        Optional<Network> network = find(text, directory);
        if (network.isEmpty()) {
            keys.add(
                    key,
                    "there is no network " + scalar.found() + "; " + Suggestion.hint(text, BUILT_IN)
                            + " It may also be none, or the path of a file, ….yaml.");
        }
        return network;
    }

    /** Reads a description; absent and refused values have their defaults. */
    private static Network description(MappingReader keys, String defaultName) throws LagbenchException {
        keys.refuseUnknown(KEYS.stream().map(Parameter::name).toList());
        String like = keys.get(LIKE);
        Network base = like.isEmpty() ? DEFAULT : named(like);
        // a value is that of the direction's own section, else of the description, else of the base
        LinkDirection forward = keys.record(BOTH_WAYS, base.forward(), Map.of()).orElseThrow();
        // mistakes in the values of both directions were already reported with the first direction
        LinkDirection reverse =
                keys.quiet().record(BOTH_WAYS, base.reverse(), Map.of()).orElseThrow();
        String name = like.isEmpty() ? defaultName : like + "-altered";
        Network absent = NETWORK.with(base, Map.of(NAME, name, FORWARD, forward, REVERSE, reverse));
        Network network = keys.record(NETWORK, absent, Map.of()).orElseThrow();
        check(network, keys);
        if (network.topology() == Network.Topology.CABLE) {
            return NETWORK.with(network, Map.of(EDGE_RATE, Optional.empty(), SITES, List.of()));
        }
        return network.edgeRateBitsPerS() == null ? NETWORK.with(network, Map.of(EDGE_RATE, Optional.of(0L))) : network;
    }

    /** Checks the values against one another. */
    private static void check(Network network, MappingReader keys) {
        if (network.topology() == Network.Topology.CABLE) {
            if (keys.has(EDGE_RATE)) {
                keys.addAtKey(EDGE_RATE, "a cable has no edges; leave it out, or set topology: dumbbell.");
            }
            if (keys.node(SITES) instanceof Sequence listed
                    && !listed.elements().isEmpty()) {
                keys.addAtKey(SITES, "a cable has no routers for them; take topology: dumbbell.");
            }
        }
        if (network.backend() == Network.ImpairmentBackend.NETEM
                && (network.forward().needsRelay() || network.reverse().needsRelay())) {
            keys.add(
                    BACKEND,
                    "netem has no bursts, no outages, no reordering by a time and no damage of payload alone; take"
                            + " relay, or leave it out.");
        }
        if (!keys.has(FORWARD)) {
            DIRECTION.check(network.forward(), keys);
        }
        if (network.flows().size() > Network.MAXIMUM_FLOWS) {
            keys.add(FLOWS, "there are more than " + Network.MAXIMUM_FLOWS + " flows.");
        }
        if (network.sites().size() > SiteLink.MAXIMUM_SITES) {
            keys.add(SITES, "there are more than " + SiteLink.MAXIMUM_SITES + " sites.");
        }
        Set<String> names = new HashSet<>(SiteLink.TAKEN);
        for (Placed<SiteLink> site : keys.quiet().list(SITES)) {
            String name = site.value().name();
            if (!names.add(name)) {
                keys.problems()
                        .add(
                                site.place(SITE_NAME),
                                keys.path(SITES) + "." + SITE_NAME + ": another host has the name " + name
                                        + " as well.");
            }
        }
    }

    /**
     * Returns the keys whose values differ from the defaults, each with its value as in a file, or with those of both
     * directions.
     */
    public static Map<String, List<String>> differences(Network network) {
        Map<String, List<String>> differences = new LinkedHashMap<>();
        List<Parameter<?>> ofDirection = DIRECTION.keys();
        Map<Parameter<?>, String> forward = YamlWriter.texts(DIRECTION, network.forward(), ofDirection);
        Map<Parameter<?>, String> reverse = YamlWriter.texts(DIRECTION, network.reverse(), ofDirection);
        YamlWriter.texts(DIRECTION, DEFAULT_DIRECTION, ofDirection).forEach((key, absent) -> {
            List<String> both = List.of(forward.getOrDefault(key, absent), reverse.getOrDefault(key, absent));
            if (!both.equals(List.of(absent, absent))) {
                differences.put(key.name(), both);
            }
        });
        List<Parameter<?>> others = new ArrayList<>(NETWORK.keys());
        others.removeAll(List.of(NAME, FORWARD, REVERSE));
        Map<Parameter<?>, String> values = YamlWriter.texts(NETWORK, network, others);
        values.entrySet().removeAll(YamlWriter.texts(NETWORK, DEFAULT, others).entrySet());
        values.forEach((key, value) -> differences.put(key.name(), List.of(value)));
        return differences;
    }

    /** Returns a description on one line, with every key; it reads as an equal network. */
    public static String format(Network network) {
        return YamlWriter.mapping(NETWORK, network);
    }
}
