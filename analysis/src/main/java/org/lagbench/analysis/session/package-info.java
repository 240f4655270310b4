/** Session directories and the records of their runs. */
@NullMarked
package org.lagbench.analysis.session;

import org.jspecify.annotations.NullMarked;
