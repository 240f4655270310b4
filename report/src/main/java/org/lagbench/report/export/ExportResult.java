package org.lagbench.report.export;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of exporting a run.
 *
 * @param run its name
 * @param file null if there is none, because its captures cannot be joined
 * @param notes for the user
 */
public record ExportResult(String run, @Nullable Path file, List<String> notes) {
    public ExportResult {
        notes = List.copyOf(notes);
    }
}
