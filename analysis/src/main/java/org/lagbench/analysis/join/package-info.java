/** Both captures of one run, joined by sequence number. */
@NullMarked
package org.lagbench.analysis.join;

import org.jspecify.annotations.NullMarked;
