package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * Several lagbench commands one after the other in one new JVM, because the start of a JVM takes longer than a short
 * run. Other programs may run between them.
 */
final class LagbenchBatch {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String PROGRAM = "! ";

    private LagbenchBatch() {}

    /** Returns the line of another program, which must succeed and has no result. */
    static String program(String... words) {
        return PROGRAM + String.join(" ", words);
    }

    /**
     * Runs {@code lagbench COMMAND} for each command.
     *
     * @param program the prefix of the JVM's command line
     * @param directory the JVM's working directory, to which paths in the commands are relative
     * @param commands their arguments, separated by spaces, and programs
     * @return the result of each lagbench command, in this order
     */
    static List<CommandResult> runBy(List<String> program, Path directory, List<String> commands) throws Exception {
        Path list = Files.write(Files.createTempFile(directory, "commands-", ".txt"), commands);
        Path results = Files.createTempFile(directory, "results-", ".json");
        List<String> line = new ArrayList<>(program);
        line.addAll(Distribution.command(
                Distribution.testOptions(), LagbenchBatch.class.getName(), list.toString(), results.toString()));
        Path out = Files.createTempFile(directory, "stdout-", ".txt");
        Process jvm = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(jvm.waitFor()).as(Files.readString(out)).isZero();
        return List.of(JSON.readValue(results, CommandResult[].class));
    }

    public static void main(String[] arguments) throws Exception {
        List<CommandResult> results = new ArrayList<>();
        for (String command : Files.readAllLines(Path.of(arguments[0]))) {
            if (command.startsWith(PROGRAM)) {
                List<String> words = List.of(command.substring(PROGRAM.length()).split(" ", -1));
                if (new ProcessBuilder(words).inheritIO().start().waitFor() != 0) {
                    throw new IllegalStateException(command);
                }
            } else {
                results.add(CommandResult.of(command.split(" ", -1)));
            }
        }
        JSON.writeValue(Path.of(arguments[1]), results);
    }
}
