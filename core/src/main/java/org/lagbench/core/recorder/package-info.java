/** What records something about one side of a run: the interface, the list, and the recorders of the host itself. */
@NullMarked
package org.lagbench.core.recorder;

import org.jspecify.annotations.NullMarked;
