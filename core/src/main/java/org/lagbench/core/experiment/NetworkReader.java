package org.lagbench.core.experiment;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.Network;

/**
 * Reads descriptions of networks, each a file of its own. Whatever a file holds, the outcome is a network whose every
 * value is within its range, or a {@link LagbenchException} with a line for each thing that is wrong.
 */
public final class NetworkReader {
    private NetworkReader() {}

    /** The names of the networks that come with lagbench. */
    public static List<String> names() {
        return BuiltInNetworks.NAMES;
    }

    /** Every key of a description, those of a flow as {@code flows.key}, each with what it takes. */
    public static Map<String, String> keys() {
        return LabReader.KEYS;
    }

    /** A network by its name, or from a file, whose name ends in .yaml or .yml. */
    public static Network named(String nameOrFile) throws LagbenchException {
        if (BuiltInNetworks.NAMES.contains(nameOrFile)) {
            return LabReader.ready(nameOrFile);
        }
        if (nameOrFile.endsWith(".yaml") || nameOrFile.endsWith(".yml")) {
            return read(Path.of(nameOrFile));
        }
        throw new LagbenchException(
                ExitCode.USAGE,
                "There is no network \"" + nameOrFile + "\"; " + NearestName.hint(nameOrFile, BuiltInNetworks.NAMES)
                        + " Or name a file with a description, ….yaml.");
    }

    /** A network from a file. */
    public static Network read(Path file) throws LagbenchException {
        String fileName = Objects.toString(file.getFileName(), "");
        return parse(
                ExperimentFile.read(file),
                file.toString(),
                fileName.replaceFirst("\\.ya?ml$", "").replaceAll("[^A-Za-z0-9._-]", "-"));
    }

    /** A network from a text, named so unless it says another name. */
    static Network parse(String text, String source, String name) throws LagbenchException {
        Problems problems = new Problems();
        SourceLocation place = SourceLocation.file(source);
        YamlNode root = YamlReader.read(text, place, "", problems);
        if (root instanceof Mapping mapping) {
            Network network = new LabReader(problems, "").description(mapping, name);
            problems.throwIfAny();
            return network;
        }
        problems.add(root == null ? place : root.place(), "a network is keys with values, such as rate: 100mbit.");
        problems.throwIfAny();
        throw new AssertionError("a problem was added");
    }
}
