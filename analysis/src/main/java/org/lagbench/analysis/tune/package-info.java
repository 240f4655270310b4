/** The search for settings that minimize an objective under constraints: what to run next, and what the runs prove. */
@NullMarked
package org.lagbench.analysis.tune;

import org.jspecify.annotations.NullMarked;
