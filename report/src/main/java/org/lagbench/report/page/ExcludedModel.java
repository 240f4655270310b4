package org.lagbench.report.page;

import java.util.List;
import org.lagbench.analysis.summary.ExcludedRun;

/**
 * The runs that are in no figure.
 *
 * @param runs each with the reason
 */
public record ExcludedModel(List<ExcludedRun> runs) {}
