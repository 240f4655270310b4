/**
 * Draws charts as SVG and PNG. No free library is used, because these draw no panels on common scales, and place the
 * text of SVG by the measures of one font, which is wrong in any other font.
 */
@NullMarked
package org.lagbench.report.plot;

import org.jspecify.annotations.NullMarked;
