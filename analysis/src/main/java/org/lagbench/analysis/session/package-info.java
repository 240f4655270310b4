/** Session directories: which runs there are and what became of each. */
@NullMarked
package org.lagbench.analysis.session;

import org.jspecify.annotations.NullMarked;
