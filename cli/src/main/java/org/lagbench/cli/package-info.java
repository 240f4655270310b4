@NullMarked
package org.lagbench.cli;

import org.jspecify.annotations.NullMarked;
