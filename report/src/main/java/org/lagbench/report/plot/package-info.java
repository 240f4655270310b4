/**
 * Draws charts: panels on common axes, as SVG and PNG from one drawing. Lengths are in points of 1/72 inch, y grows
 * downward. Written for this: what libraries there are under a free licence paint no panels on common scales, and their
 * SVG sets text by the measures of one font, so that labels are out of place where a reader has another.
 */
@NullMarked
package org.lagbench.report.plot;

import org.jspecify.annotations.NullMarked;
