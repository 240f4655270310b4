/** The comparison of the values of an axis, and the studies of their series, as tables, CSV and JSON. */
@NullMarked
package org.lagbench.report.comparison;

import org.jspecify.annotations.NullMarked;
