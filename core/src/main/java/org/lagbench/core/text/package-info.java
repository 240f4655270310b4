/** Units, and addresses as users write them. */
@NullMarked
package org.lagbench.core.text;

import org.jspecify.annotations.NullMarked;
