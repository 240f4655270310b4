/** When the next packet is due. */
@NullMarked
package org.lagbench.core.pace;

import org.jspecify.annotations.NullMarked;
