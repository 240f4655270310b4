/** The figures of a session, one class each; {@code AllFigures} lists them. */
@NullMarked
package org.lagbench.report.figure;

import org.jspecify.annotations.NullMarked;
