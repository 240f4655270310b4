package org.lagbench.core.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Network;
import org.lagbench.core.yaml.YamlNode.Mapping;

/**
 * Reads networks: the built-in ones, and descriptions in files. The result is a network whose every value is within its
 * range, or a {@link LagbenchException} with a line for each error.
 */
public final class NetworkReader {
    private static final List<String> BUILT_IN =
            List.of("ethernet-10", "ethernet-100", "gigabit", "wifi-like", "long-fat", "dumbbell");

    private NetworkReader() {}

    /** Returns the names of the built-in networks. */
    public static List<String> names() {
        return BUILT_IN;
    }

    /** Returns the accepted values of every key of a description; the keys of a flow are {@code flows.key}. */
    public static Map<String, String> keys() {
        return LabReader.accepted();
    }

    /** Returns a built-in network, or one from a file whose name ends in .yaml or .yml. */
    public static Network named(String nameOrFile) throws LagbenchException {
        return find(nameOrFile, Path.of(""))
                .orElseThrow(() -> new LagbenchException(
                        ExitCode.USAGE,
                        "There is no network \"" + nameOrFile + "\"; " + NearestName.hint(nameOrFile, BUILT_IN)
                                + " Or name a file with a description, ….yaml."));
    }

    /** Returns the network that a name or a path stands for; nothing if it is neither. */
    static Optional<Network> find(String nameOrFile, Path directory) throws LagbenchException {
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
        String fileName = Objects.toString(file.getFileName(), "");
        return parse(
                ExperimentFile.read(file),
                file.toString(),
                fileName.replaceFirst("\\.ya?ml$", "").replaceAll("[^A-Za-z0-9._-]", "-"));
    }

    private static Network parse(String text, String source, String defaultName) throws LagbenchException {
        Problems problems = new Problems();
        SourceLocation place = SourceLocation.file(source);
        YamlNode root = YamlReader.read(text, place, "", problems);
        if (!(root instanceof Mapping mapping)) {
            problems.add(root == null ? place : root.place(), "a network has keys with values, such as rate: 100mbit.");
            throw problems.failure();
        }
        Network network = new LabReader(problems, "").description(mapping, defaultName);
        problems.throwIfAny();
        return network;
    }
}
