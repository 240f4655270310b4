/** The forecast of a series, and the comparison of two, as tables, CSV, JSON and figures. */
@NullMarked
package org.lagbench.report.forecast;

import org.jspecify.annotations.NullMarked;
