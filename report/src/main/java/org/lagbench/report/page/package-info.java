/**
 * The page of a session, {@code report.html}: one self-contained file.
 *
 * <p>The templates in {@code src/main/jte} make the text and the tables, which need no script. The charts are SVG by
 * {@link org.lagbench.report.chart.ReportChart}; the scripts in the resources place their data on axes with zoom.
 */
@NullMarked
package org.lagbench.report.page;

import org.jspecify.annotations.NullMarked;
