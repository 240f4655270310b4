package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.session.RunDirectory;
import org.lagbench.analysis.session.Session;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/** Exports the packets of all runs of a session, one file per run, in bounded memory. */
public final class Exports {
    private Exports() {}

    /**
     * Writes {@code <run>.<suffix>} for every run whose captures can be joined. Fails before it writes anything if one
     * of the files exists. Files are never partially written.
     *
     * @param directory created if it does not exist
     * @param tail the packets that get a cause, if causes were recorded
     * @throws LagbenchException with {@link ExitCode#FILES} and the path, if a file exists or cannot be written, or a
     *     capture of a complete run cannot be read
     */
    public static List<ExportResult> write(Session session, ExportFormat format, Path directory, Tail tail)
            throws LagbenchException {
        for (RunDirectory run : session.runs()) {
            Path file = file(run, format, directory);
            if (Files.exists(file)) {
                throw new LagbenchException(
                        ExitCode.FILES, file + " exists already; remove it, or set another directory with --output.");
            }
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw cannotWrite(directory, e);
        }
        List<ExportResult> exported = new ArrayList<>();
        for (RunDirectory run : session.runs()) {
            exported.add(write(run, format, file(run, format, directory), tail));
        }
        return exported;
    }

    private static ExportResult write(RunDirectory directory, ExportFormat format, Path file, Tail tail)
            throws LagbenchException {
        RunRecord record = directory.record();
        JoinedRun run;
        try {
            run = JoinedRun.open(directory.path());
        } catch (LagbenchException e) {
            if (record != null && record.state() == RunRecord.State.COMPLETE) {
                throw e;
            }
            return new ExportResult(directory.name(), null, List.of(e.sentence()));
        }
        try (run) {
            PacketCauses causes =
                    format == ExportFormat.HDR ? null : PacketCauses.of(directory.path(), record, run, tail);
            return new ExportResult(directory.name(), file, writeWhole(run, causes, format, file));
        }
    }

    private static List<String> writeWhole(JoinedRun run, @Nullable PacketCauses causes, ExportFormat format, Path file)
            throws LagbenchException {
        Path partial = file.resolveSibling("." + file.getFileName() + ".partial");
        try {
            try {
                Files.deleteIfExists(partial);
                List<String> notes = format.write(run, causes, partial);
                Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
                return notes;
            } finally {
                Files.deleteIfExists(partial);
            }
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    private static LagbenchException cannotWrite(Path path, IOException e) {
        return new LagbenchException(ExitCode.FILES, path + " cannot be written: " + IoErrors.reason(e) + ".", e);
    }

    private static Path file(RunDirectory run, ExportFormat format, Path directory) {
        return directory.resolve(run.name() + "." + format.suffix());
    }
}
