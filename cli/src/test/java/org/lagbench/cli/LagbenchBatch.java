package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JVM that runs lagbench commands one after the other, because the start of a JVM takes longer than a short run.
 * Other programs may run between them. Closing ends it.
 */
final class LagbenchBatch implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String PROGRAM = "! ";
    private static final String DONE = "### done";

    private final Path directory;
    private final Path err;
    private final Process jvm;
    private final BufferedReader out;

    private LagbenchBatch(Path directory, Path err, Process jvm) {
        this.directory = directory;
        this.err = err;
        this.jvm = jvm;
        this.out = jvm.inputReader();
    }

    /** Returns the line of another program, which must succeed and has no result. */
    static String program(String... words) {
        return PROGRAM + String.join(" ", words);
    }

    /**
     * Starts the JVM.
     *
     * @param program the prefix of the JVM's command line
     * @param directory the JVM's working directory, to which paths in the commands are relative
     */
    static LagbenchBatch startBy(List<String> program, Path directory) throws IOException {
        List<String> line = new ArrayList<>(program);
        line.addAll(Distribution.command(Distribution.testOptions(), LagbenchBatch.class.getName()));
        Path err = Files.createTempFile(directory, "stderr-", ".txt");
        Process jvm = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectError(err.toFile())
                .start();
        return new LagbenchBatch(directory, err, jvm);
    }

    /** Runs the commands in a new JVM, as {@link #run} does. */
    static List<CommandResult> runBy(List<String> program, Path directory, List<String> commands) throws Exception {
        try (LagbenchBatch batch = startBy(program, directory)) {
            return batch.run(commands);
        }
    }

    /**
     * Runs {@code lagbench COMMAND} for each command.
     *
     * @param commands their arguments, separated by spaces, and programs
     * @return the result of each lagbench command, in this order
     */
    List<CommandResult> run(List<String> commands) throws IOException {
        Path list = Files.write(Files.createTempFile(directory, "commands-", ".txt"), commands);
        Path results = Files.createTempFile(directory, "results-", ".json");
        Writer in = jvm.outputWriter();
        in.write(list + "\n" + results + "\n");
        in.flush();
        String line = out.readLine();
        while (line != null && !line.equals(DONE)) {
            line = out.readLine();
        }
        assertThat(line).as(Files.readString(err)).isNotNull();
        return List.of(JSON.readValue(results, CommandResult[].class));
    }

    @Override
    public void close() throws IOException {
        jvm.outputWriter().close();
        int exitCode = jvm.onExit().join().exitValue();
        assertThat(exitCode).as(Files.readString(err)).isZero();
    }

    /** Reads names of files from the standard input, in turns one of commands and one for their results. */
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String list = in.readLine(); list != null; list = in.readLine()) {
            List<CommandResult> results = new ArrayList<>();
            for (String command : Files.readAllLines(Path.of(list))) {
                if (command.startsWith(PROGRAM)) {
                    List<String> words =
                            List.of(command.substring(PROGRAM.length()).split(" ", -1));
                    ProcessBuilder program =
                            new ProcessBuilder(words).inheritIO().redirectInput(new File("/dev/null"));
                    if (program.start().waitFor() != 0) {
                        throw new IllegalStateException(command);
                    }
                } else {
                    results.add(CommandResult.of(command.split(" ", -1)));
                }
            }
            JSON.writeValue(Path.of(in.readLine()), results);
            System.out.println(DONE);
        }
    }
}
