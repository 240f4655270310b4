/** Files that are written whole or not at all. */
@NullMarked
package org.lagbench.core.file;

import org.jspecify.annotations.NullMarked;
