package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.model.Registry;
import org.lagbench.core.run.RunRecord;

/** Exports the packets of all runs of a session, one file per run, in bounded memory. */
public final class Exports {
    /** The formats on the class path, found once. */
    public static final Registry<ExportFormat> FORMATS =
            new Registry<>("format", ServiceLoader.load(ExportFormat.class));

    private Exports() {}

    /**
     * The result of exporting a run.
     *
     * @param run its name
     * @param file null if there is none, because its captures cannot be joined
     * @param notes for the user
     */
    public record Exported(String run, @Nullable Path file, List<String> notes) {
        public Exported {
            notes = List.copyOf(notes);
        }
    }

    /**
     * Writes or replaces {@code <run>.<suffix>} for every complete and intact run. Files are never partially written.
     *
     * @param directory created if it does not exist
     * @param options which packets get a cause, if causes were recorded; and whether to write also other runs whose
     *     captures can be joined, with their state in each row
     * @throws LagbenchException with {@link ExitCode#FILES} and the path, if a file cannot be written
     */
    public static List<Exported> write(Session session, ExportFormat format, Path directory, SummaryOptions options)
            throws LagbenchException {
        IoErrors.explained(directory + " cannot be written", () -> Files.createDirectories(directory));
        return CheckedFunction.each(
                session.runs(),
                run -> write(run, format, directory.resolve(run.name() + "." + format.suffix()), options));
    }

    private static Exported write(RunDirectory directory, ExportFormat format, Path file, SummaryOptions options)
            throws LagbenchException {
        List<String> flaws = directory.flaws();
        JoinedRun run;
        try {
            run = directory.open();
        } catch (LagbenchException e) {
            flaws.add(e.sentence());
            return new Exported(directory.name(), null, flaws);
        }
        try (run) {
            String mismatch = directory.mismatch(run);
            if (mismatch != null && flaws.isEmpty()) {
                flaws.add(mismatch);
            }
            if (!flaws.isEmpty() && !options.includeBroken()) {
                return new Exported(directory.name(), null, flaws);
            }
            Marks marks = marks(directory, flaws);
            List<String> notes = new ArrayList<>(marks.sentences());
            try (AtomicFile partial = AtomicFile.of(file)) {
                notes.addAll(format.write(directory, run, options, marks, partial.path()));
                partial.publish();
            } catch (IOException e) {
                throw IoErrors.toException(file + " cannot be written", e);
            }
            return new Exported(directory.name(), file, notes);
        }
    }

    /**
     * Warnings and state of an exported run.
     *
     * @param state the state of a run that is not complete and intact, such as "broken"; null for others
     * @param sentences what is wrong with the run; usually none
     */
    public record Marks(@Nullable String state, List<String> sentences) {
        /** What {@code state} may be: damaged, or the state of a run that is not complete. */
        static final List<String> STATES = Stream.concat(
                        Stream.of("damaged"),
                        Arrays.stream(RunRecord.State.values()).map(Marks::word))
                .toList();

        public Marks {
            sentences = List.copyOf(sentences);
        }

        private static String word(RunRecord.State state) {
            return state.name().toLowerCase(Locale.ROOT);
        }
    }

    private static Marks marks(RunDirectory directory, List<String> flaws) {
        List<String> sentences = new ArrayList<>(flaws);
        directory.damage().forEach((name, what) -> {
            String sentence = name + " " + what;
            if (!sentences.contains(sentence)) {
                sentences.add(sentence);
            }
        });
        RunRecord record = directory.record();
        String state = flaws.isEmpty()
                ? null
                : record == null || record.state() == RunRecord.State.COMPLETE ? "damaged" : Marks.word(record.state());
        return new Marks(state, sentences);
    }
}
