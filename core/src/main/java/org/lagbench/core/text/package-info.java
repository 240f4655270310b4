/** Text for people. */
@NullMarked
package org.lagbench.core.text;

import org.jspecify.annotations.NullMarked;
