@NullMarked
package org.lagbench.sender;

import org.jspecify.annotations.NullMarked;
