/** The figures of a session, listed in {@code Figure}, and the charts of its report. */
@NullMarked
package org.lagbench.report.figure;

import org.jspecify.annotations.NullMarked;
