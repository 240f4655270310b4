/** Text for people, and the units it is in. */
@NullMarked
package org.lagbench.core.text;

import org.jspecify.annotations.NullMarked;
