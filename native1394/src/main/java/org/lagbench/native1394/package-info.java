@NullMarked
package org.lagbench.native1394;

import org.jspecify.annotations.NullMarked;
