/** The matrix of all pairs of sites as tables, heat maps, CSV and JSON. */
@NullMarked
package org.lagbench.report.matrix;

import org.jspecify.annotations.NullMarked;
