/** Exports of joined packets in the formats of other programs. */
@NullMarked
package org.lagbench.report.export;

import org.jspecify.annotations.NullMarked;
