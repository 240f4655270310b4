/** Reads series of values with their times from CSV and NumPy files of any program. */
@NullMarked
package org.lagbench.analysis.seriesfile;

import org.jspecify.annotations.NullMarked;
