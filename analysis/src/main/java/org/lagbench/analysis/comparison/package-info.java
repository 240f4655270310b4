/** The comparison of the values of an axis, from the runs of a session. */
@NullMarked
package org.lagbench.analysis.comparison;

import org.jspecify.annotations.NullMarked;
