package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Registry;

/**
 * A format of the packets of a run. Registered by a line in
 * {@code META-INF/services/org.lagbench.report.export.ExportFormat} and found by {@link Exports}. Implementations have
 * a public constructor without arguments, and no state.
 */
public abstract class ExportFormat implements Registry.Named {
    private final String name;
    private final int order;

    /**
     * Declares a format.
     *
     * @param name on the command line
     * @param order the position in lists, from 0
     */
    protected ExportFormat(String name, int order) {
        this.name = name;
        this.order = order;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int order() {
        return order;
    }

    /** Returns the file extension. */
    protected String suffix() {
        return name;
    }

    /**
     * Writes a new file.
     *
     * @param options which packets get a cause, if causes were recorded
     * @param marks what is wrong with the run
     * @return notes for the user
     */
    protected abstract List<String> write(
            RunDirectory directory, JoinedRun run, SummaryOptions options, Exports.Marks marks, Path file)
            throws IOException, LagbenchException;
}
