package org.lagbench.report.figure;

import org.lagbench.report.plot.Chart;

/**
 * A chart and what its file is called.
 *
 * @param name the file's name without extension
 * @param chart what is drawn
 */
public record Drawing(String name, Chart chart) {}
