/** The experiment file: its model, its reader, and the runs that follow from it. */
@NullMarked
package org.lagbench.core.experiment;

import org.jspecify.annotations.NullMarked;
