/** The series of a monitor's session: their names, records and files, also while they are recorded. */
@NullMarked
package org.lagbench.core.series;

import org.jspecify.annotations.NullMarked;
