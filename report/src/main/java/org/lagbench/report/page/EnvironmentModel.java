package org.lagbench.report.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Session;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.StrictJson;
import tools.jackson.databind.JsonNode;

/**
 * The environment of the runs, and their experiment.
 *
 * @param executions one for each execution of the experiment; more than one if it was resumed
 * @param experiment the experiment with all defaults; null if it is missing
 */
public record EnvironmentModel(List<Execution> executions, @Nullable String experiment) {
    /** The environment file of one execution. */
    public record Execution(String file, List<MetadataEntry> metadata) {}

    static EnvironmentModel of(Session session) throws LagbenchException {
        String failure = "The records of the machine's environment in " + session.path() + " cannot be read";
        return IoErrors.explained(failure, () -> {
            List<Execution> executions = new ArrayList<>();
            for (Path file : environmentFiles(session.path())) {
                executions.add(new Execution(String.valueOf(file.getFileName()), metadata(Files.readAllBytes(file))));
            }
            Path experiment = session.path().resolve("experiment.yaml");
            return new EnvironmentModel(
                    executions, Files.isRegularFile(experiment) ? Files.readString(experiment) : null);
        });
    }

    private static List<MetadataEntry> metadata(byte[] json) {
        try {
            return MetadataEntry.of(StrictJson.parse(json));
        } catch (IllegalArgumentException e) {
            return List.of(new MetadataEntry("unreadable", "this file is not JSON"));
        }
    }

    private static List<Path> environmentFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> String.valueOf(file.getFileName()).matches("environment(-\\d+)?\\.json"))
                    .sorted(Comparator.comparing((Path file) -> file.toString().length())
                            .thenComparing(Path::toString))
                    .toList();
        }
    }

    /**
     * A named value of a JSON file.
     *
     * @param name its path in words, such as "clock · bound ns"
     */
    public record MetadataEntry(String name, String value) {
        /** Returns everything in a node, in its order, except what is null or empty. */
        static List<MetadataEntry> of(JsonNode node) {
            List<MetadataEntry> entries = new ArrayList<>();
            collect("", node, entries);
            return entries;
        }

        private static void collect(String name, JsonNode node, List<MetadataEntry> entries) {
            if (node.isObject()) {
                String prefix = name.isEmpty() ? "" : name + " · ";
                node.properties()
                        .forEach(member -> collect(prefix + words(member.getKey()), member.getValue(), entries));
            } else if (node.isArray() && !node.valueStream().allMatch(JsonNode::isValueNode)) {
                for (int i = 0; i < node.size(); i++) {
                    collect(name + " " + (i + 1), node.get(i), entries);
                }
            } else {
                String value = node.isArray()
                        ? node.valueStream().map(JsonNode::asString).collect(Collectors.joining(" "))
                        : node.asString();
                if (!value.isEmpty()) {
                    entries.add(new MetadataEntry(name, value));
                }
            }
        }

        /** Returns "sendBufferBytes" and "send-buffer" as words; names with dots are those of the kernel and stay. */
        private static String words(String key) {
            return key.contains(".")
                    ? key
                    : key.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
                            .replace('-', ' ')
                            .toLowerCase(Locale.ROOT);
        }
    }
}
