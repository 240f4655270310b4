package org.lagbench.report.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.session.Session;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.page.JsonEntries.Fact;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * In what surroundings the runs were made, and by what experiment.
 *
 * @param executions what each execution of the experiment noted of its machine; more than one if it was resumed
 * @param experiment the experiment with all defaults; null if it is not there
 */
public record EnvironmentModel(List<Execution> executions, @Nullable String experiment) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * One execution.
     *
     * @param file the file's name
     * @param facts what is in it
     */
    public record Execution(String file, List<Fact> facts) {}

    static EnvironmentModel of(Session session) throws LagbenchException {
        try {
            List<Execution> executions = new ArrayList<>();
            for (Path file : environmentFiles(session.path())) {
                executions.add(new Execution(String.valueOf(file.getFileName()), facts(file)));
            }
            Path experiment = session.path().resolve("experiment.yaml");
            return new EnvironmentModel(
                    executions, Files.isRegularFile(experiment) ? Files.readString(experiment) : null);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES,
                    "What " + session.path() + " tells of its environment cannot be read: " + IoErrors.reason(e) + ".",
                    e);
        }
    }

    /** Whether nothing is known. */
    boolean isEmpty() {
        return executions.isEmpty() && experiment == null;
    }

    private static List<Fact> facts(Path file) throws IOException {
        try {
            return JsonEntries.of(JSON.readTree(Files.readString(file)));
        } catch (JacksonException e) {
            return List.of(new Fact("unreadable", "this file is not JSON"));
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
}
