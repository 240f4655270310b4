/** The networks that a lab can be ordered to be: what they do to packets, not how they are made. */
@NullMarked
package org.lagbench.core.lab;

import org.jspecify.annotations.NullMarked;
