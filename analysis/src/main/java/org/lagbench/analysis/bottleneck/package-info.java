/** Tests whether flows share a bottleneck. */
@NullMarked
package org.lagbench.analysis.bottleneck;

import org.jspecify.annotations.NullMarked;
