/** The series of a monitor's session: their names, records and files. */
@NullMarked
package org.lagbench.core.series;

import org.jspecify.annotations.NullMarked;
