/**
 * The page that a session is read in: {@code report.html}, one file with everything in it.
 *
 * <p>The words and tables are made here, by the templates in {@code src/main/jte}; they can be read without a script.
 * The scripts in the resources draw the charts from one block of JSON, in which {@code summary.json} stands as it is. A
 * new section is a template and a line in {@link ReportSections}; what its chart draws is a line in {@link RunData}.
 */
@NullMarked
package org.lagbench.report.page;

import org.jspecify.annotations.NullMarked;
