/** Where a packet's time went on its way: the stages of its lag, and how full the buffers were. */
@NullMarked
package org.lagbench.analysis.stage;

import org.jspecify.annotations.NullMarked;
