/** The report, files and figures of a tune. */
@NullMarked
package org.lagbench.report.tune;

import org.jspecify.annotations.NullMarked;
