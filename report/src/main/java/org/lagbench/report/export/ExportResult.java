package org.lagbench.report.export;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a run in an export.
 *
 * @param run its name
 * @param file its file; null if there is none, as its captures cannot be joined
 * @param notes what the user must know, a sentence each
 */
public record ExportResult(String run, @Nullable Path file, List<String> notes) {
    public ExportResult {
        notes = List.copyOf(notes);
    }
}
