/** Atomic writing of files, and repeated reading of /proc. */
@NullMarked
package org.lagbench.core.file;

import org.jspecify.annotations.NullMarked;
