package org.lagbench.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/** A run's directory of which one file is the input. */
final class RunInput {
    /** Names the directory with the corpora of all targets; that of the runs has a directory for each run. */
    static final String CORPUS = "lagbench.fuzz.corpus";

    private static final Path RUNS = Path.of(System.getProperty(CORPUS, "corpus"), "runs");

    /** The files of the runs, each by its path below {@link #RUNS}, sorted. */
    static final List<Path> FILES = files();

    private RunInput() {}

    private static List<Path> files() {
        try (Stream<Path> found = Files.walk(RUNS)) {
            return found.filter(Files::isRegularFile)
                    .map(RUNS::relativize)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the records of the runs. */
    static List<Path> records() {
        return FILES.stream()
                .filter(file -> file.endsWith(RunRecord.FILE_NAME))
                .map(RUNS::resolve)
                .toList();
    }

    /** Returns the input that leaves a file as it is. */
    static byte[] unchanged(Path file) throws IOException {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        input.writeBytes((file + "\n").getBytes(StandardCharsets.UTF_8));
        input.writeBytes(Files.readAllBytes(RUNS.resolve(file)));
        return input.toByteArray();
    }

    /**
     * Puts the input after its first line into the file that this line names, computes all metrics of the run, and puts
     * the file back. Another line selects a file as well.
     *
     * @throws LagbenchException if the run is refused
     */
    static void analyze(byte[] input) throws IOException, LagbenchException {
        int end = 0;
        while (end < input.length && input[end] != '\n') {
            end++;
        }
        String name = new String(input, 0, end, StandardCharsets.UTF_8);
        Path file = FILES.stream()
                .filter(known -> known.toString().equals(name))
                .findFirst()
                .orElse(FILES.get(Math.floorMod(name.hashCode(), FILES.size())));
        Path run = directory(file.getName(0));
        Path replaced = run.resolveSibling(file);
        try {
            Files.write(replaced, Arrays.copyOfRange(input, Math.min(end + 1, input.length), input.length));
            Summaries.of(Session.open(run), new SummaryOptions(true, true));
        } finally {
            Files.write(replaced, Files.readAllBytes(RUNS.resolve(file)));
        }
    }

    /** Returns the copy of a run. */
    private static Path directory(Path run) throws IOException {
        Path copy = Scratch.path(run.toString());
        if (!Files.exists(copy)) {
            for (Path file : FILES) {
                if (file.startsWith(run)) {
                    Scratch.write(file.toString(), Files.readAllBytes(RUNS.resolve(file)));
                }
            }
        }
        return copy;
    }
}
