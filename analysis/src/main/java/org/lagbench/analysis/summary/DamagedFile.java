package org.lagbench.analysis.summary;

import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.run.RunRecord;

/**
 * A damaged file of a run that the metrics include, or of the session.
 *
 * @param run the run's name; that of the session for its own files
 * @param file the file's name
 * @param damage what is wrong with it, as a part of a sentence: {@code is missing}
 */
public record DamagedFile(String run, String file, String damage) {
    /** Returns a warning for the reader of any metric. */
    public String sentence() {
        return switch (file) {
            case RunRecord.FILE_NAME, Checksums.FILE_NAME -> file + " " + damage + ".";
            case SenderCapture.FILE_NAME, ReceiverCapture.FILE_NAME ->
                file + " " + damage + ". Metrics of this run may be wrong.";
            default -> file + " " + damage + ". Metrics computed from it exclude this run.";
        };
    }
}
