/** Figures of a series that is read again and again rather than kept in memory. */
@NullMarked
package org.lagbench.analysis.statistics;

import org.jspecify.annotations.NullMarked;
