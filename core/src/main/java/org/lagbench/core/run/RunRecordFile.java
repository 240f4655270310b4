package org.lagbench.core.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
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
            JsonNode record = JSON.readTree(Files.readAllBytes(file));
            String format = record.path("format").asString("");
            if (!RunRecord.FORMAT.equals(format)) {
                throw new LagbenchException(
                        ExitCode.FILES, file + " is of format " + format + ", not " + RunRecord.FORMAT + ".");
            }
            return JSON.treeToValue(record, RunRecord.class);
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, file + " cannot be read: " + IoErrors.reason(e) + ".", e);
        } catch (JacksonException e) {
            throw new LagbenchException(
                    ExitCode.FILES, file + " is not the record of a run: " + e.getOriginalMessage(), e);
        }
    }
}
