/** Network addresses as users write them. */
@NullMarked
package org.lagbench.core.address;

import org.jspecify.annotations.NullMarked;
