/** The multimedia metrics of a run, one class each, by their RFCs, and the playout delay that a receiver needs. */
@NullMarked
package org.lagbench.analysis.media;

import org.jspecify.annotations.NullMarked;
