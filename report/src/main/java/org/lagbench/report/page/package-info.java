/**
 * The page that a session is read in: {@code report.html}, one file with everything in it.
 *
 * <p>The words and tables are made here, by the templates in {@code src/main/jte}; they can be read without a script.
 * The charts are SVG that {@link org.lagbench.report.plot.PageSvg} paints, as it paints the figures; the scripts in the
 * resources place their data on axes that can be zoomed. A new section is a template and a line in {@link Sections}.
 */
@NullMarked
package org.lagbench.report.page;

import org.jspecify.annotations.NullMarked;
