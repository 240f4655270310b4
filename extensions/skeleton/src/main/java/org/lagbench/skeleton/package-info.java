/** An example of an extension: gaps between arrivals, as metrics, a view and a command. */
@NullMarked
package org.lagbench.skeleton;

import org.jspecify.annotations.NullMarked;
