package org.lagbench.report.plot;

/** What a legend shows beside a label. */
public sealed interface Sample permits LineStyle, Mark, Fill {}
