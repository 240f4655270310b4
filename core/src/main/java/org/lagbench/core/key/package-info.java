/** The key that sender and receiver share, and the users who may have written or read its file. */
@NullMarked
package org.lagbench.core.key;

import org.jspecify.annotations.NullMarked;
