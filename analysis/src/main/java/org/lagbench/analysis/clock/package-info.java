/**
 * How far the receiver's clock is from the sender's, and how much faster it runs, by the stamps of the run alone: an
 * estimate by two-way stamps, another by the hulls of all stamps, and the lines that no stamp contradicts.
 */
@NullMarked
package org.lagbench.analysis.clock;

import org.jspecify.annotations.NullMarked;
