package org.lagbench.core.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes {@link RunRecord#FILE_NAME} of a run's directory. */
public final class RunRecordFile {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private RunRecordFile() {}

    /** Writes the record so that a reader sees all of it or nothing. */
    public static void write(Path runDirectory, RunRecord record) throws LagbenchException {
        WholeFile.write(runDirectory.resolve(RunRecord.FILE_NAME), JSON.writeValueAsString(record));
    }

    /** Reads the record of a run. */
    public static RunRecord read(Path runDirectory) throws LagbenchException {
        Path file = runDirectory.resolve(RunRecord.FILE_NAME);
        try {
            RunRecord record = JSON.readValue(Files.readAllBytes(file), RunRecord.class);
            if (!RunRecord.FORMAT.equals(record.format())) {
                throw new LagbenchException(
                        ExitCode.FILES, file + " is of format " + record.format() + ", not " + RunRecord.FORMAT + ".");
            }
            return record;
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, file + " cannot be read: " + IoErrors.reason(e) + ".", e);
        } catch (JacksonException e) {
            throw new LagbenchException(
                    ExitCode.FILES, file + " is not the record of a run: " + e.getOriginalMessage(), e);
        }
    }
}
