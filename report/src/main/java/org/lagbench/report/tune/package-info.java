/** The report, the files and the figures of a tune. */
@NullMarked
package org.lagbench.report.tune;

import org.jspecify.annotations.NullMarked;
