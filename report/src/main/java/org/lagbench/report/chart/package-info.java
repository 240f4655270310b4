/** Pictures: what a chart shows, how it is laid out, and how it is painted as SVG or PNG. */
@NullMarked
package org.lagbench.report.chart;

import org.jspecify.annotations.NullMarked;
