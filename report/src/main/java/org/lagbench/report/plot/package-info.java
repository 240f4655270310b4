/**
 * Draws charts as SVG and PNG. Free libraries draw no panels on common scales, and place the text of SVG by the
 * measures of one font, wrong in any other.
 */
@NullMarked
package org.lagbench.report.plot;

import org.jspecify.annotations.NullMarked;
