/** The multimedia metrics of a run, one class each, by their RFCs. */
@NullMarked
package org.lagbench.analysis.media;

import org.jspecify.annotations.NullMarked;
