package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.run.RunRecord;

/** Exports the packets of all runs of a session, one file per run, in bounded memory. */
public final class Exports {
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
     * @param tail the packets that get a cause, if causes were recorded
     * @param includeBroken whether to write also other runs whose captures can be joined, with their state in each row
     * @throws LagbenchException with {@link ExitCode#FILES} and the path, if a file cannot be written
     */
    public static List<Exported> write(Session session, Format format, Path directory, Tail tail, boolean includeBroken)
            throws LagbenchException {
        IoErrors.explained(directory + " cannot be written", () -> Files.createDirectories(directory));
        return CheckedFunction.each(
                session.runs(), run -> write(run, format, file(run, format, directory), tail, includeBroken));
    }

    private static Exported write(RunDirectory directory, Format format, Path file, Tail tail, boolean includeBroken)
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
            if (!flaws.isEmpty() && !includeBroken) {
                return new Exported(directory.name(), null, flaws);
            }
            Marks marks = marks(directory, flaws);
            List<String> notes = new ArrayList<>(marks.sentences());
            try (AtomicFile partial = AtomicFile.of(file)) {
                Tail ofCauses = directory.isIntact(RunCauses.FILES) ? tail : null;
                notes.addAll(format.write(directory, run, ofCauses, marks, partial.path()));
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
    record Marks(@Nullable String state, List<String> sentences) {
        /** What {@code state} may be: damaged, or the state of a run that is not complete. */
        static final List<String> STATES = Stream.concat(
                        Stream.of("damaged"),
                        Arrays.stream(RunRecord.State.values()).map(Marks::word))
                .toList();

        Marks {
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

    private static Path file(RunDirectory run, Format format, Path directory) {
        return directory.resolve(run.name() + "." + format.suffix());
    }

    /** The export formats of the packets of a run. */
    public enum Format implements TextEnum {
        /** Comma-separated values, with one row per packet. */
        CSV,
        /** Apache Parquet, with one row per packet. */
        PARQUET,
        /** An HdrHistogram log, with one histogram of the lags per second. */
        HDR,
        /** Comma-separated values, with one row for each part of the lag of each slow packet. */
        LEDGER;

        /** Returns the file extension. */
        public String suffix() {
            return this == HDR ? "hlog" : this == LEDGER ? "ledger.csv" : text();
        }

        /**
         * Writes a new file.
         *
         * @param tail the packets that get a cause; null if causes were not recorded
         * @param marks what is wrong with the run
         * @return notes for the user
         */
        List<String> write(RunDirectory directory, JoinedRun run, @Nullable Tail tail, Marks marks, Path file)
                throws IOException, LagbenchException {
            switch (this) {
                case CSV -> new PacketTable(directory, run, tail, marks).writeCsv(file);
                case PARQUET -> ParquetExport.write(new PacketTable(directory, run, tail, marks), file);
                case HDR -> {
                    return HdrExport.write(run, marks, file);
                }
                case LEDGER -> {
                    return LedgerExport.write(run, tail, file);
                }
            }
            return List.of();
        }
    }
}
