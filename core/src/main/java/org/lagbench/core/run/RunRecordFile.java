package org.lagbench.core.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.file.WholeFile;
import org.lagbench.core.model.LabRecord;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes {@link RunRecord#FILE_NAME} of a run's directory. */
public final class RunRecordFile {
    private static final JsonMapper JSON =
            StrictJson.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private static final Set<String> FORMATS = Set.of(RunRecord.FORMAT, FirstRunFormat.NAME);

    private RunRecordFile() {}

    /** Writes the record. A reader sees all of it or nothing. */
    public static void write(Path runDirectory, RunRecord record) throws LagbenchException {
        ObjectNode tree = JSON.createObjectNode().put("format", RunRecord.FORMAT);
        tree.setAll((ObjectNode) JSON.valueToTree(record));
        WholeFile.write(runDirectory.resolve(RunRecord.FILE_NAME), JSON.writeValueAsString(tree));
    }

    /** Adds the network that the run was executed over to its record. */
    public static void addLab(Path runDirectory, LabRecord lab) throws LagbenchException {
        Path file = runDirectory.resolve(RunRecord.FILE_NAME);
        Checksums.rewrite(file, JSON.writeValueAsString(tree(file).set("lab", JSON.valueToTree(lab))));
    }

    /** Marks a run as broken whose record says that it is complete, because its network failed. */
    public static void markBroken(Path runDirectory, String failure) throws LagbenchException {
        Path file = runDirectory.resolve(RunRecord.FILE_NAME);
        ObjectNode record =
                tree(file).put("state", RunRecord.State.BROKEN.name()).put("failure", failure);
        Checksums.rewrite(file, JSON.writeValueAsString(record));
    }

    /**
     * Reads the record of a run, and refuses what no run can have written.
     *
     * @throws LagbenchException with {@link ExitCode#FILES}, the file and the member, if it cannot be read or used
     */
    public static RunRecord read(Path runDirectory) throws LagbenchException {
        Path file = runDirectory.resolve(RunRecord.FILE_NAME);
        ObjectNode tree = tree(file);
        try {
            boolean isFirst = FirstRunFormat.NAME.equals(tree.path("format").asString(""));
            return StrictJson.convert(isFirst ? FirstRunFormat.upgrade(tree) : tree, RunRecord.class);
        } catch (IllegalArgumentException e) {
            throw ExitCode.FILES.failure(file + ": " + e.getMessage() + ".", e);
        }
    }

    private static ObjectNode tree(Path file) throws LagbenchException {
        try {
            JsonNode record = JSON.readTree(Files.readAllBytes(file));
            String format = record.path("format").asString("");
            if (record instanceof ObjectNode object && FORMATS.contains(format)) {
                return object;
            }
            throw ExitCode.FILES.failure(file + " is of format " + format + ", not " + RunRecord.FORMAT + ".");
        } catch (IOException e) {
            throw IoErrors.toException(file + " cannot be read", e);
        } catch (JacksonException e) {
            throw ExitCode.FILES.failure(file + " is not the record of a run: " + e.getOriginalMessage(), e);
        }
    }
}
