/** Emulated networks: what they do to packets, not how they are made. */
@NullMarked
package org.lagbench.core.lab;

import org.jspecify.annotations.NullMarked;
