/** Where something is on the network, as users write it. */
@NullMarked
package org.lagbench.core.address;

import org.jspecify.annotations.NullMarked;
