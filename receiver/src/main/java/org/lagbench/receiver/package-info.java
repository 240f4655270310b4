@NullMarked
package org.lagbench.receiver;

import org.jspecify.annotations.NullMarked;
