/** The key that sender and receiver share. */
@NullMarked
package org.lagbench.core.key;

import org.jspecify.annotations.NullMarked;
