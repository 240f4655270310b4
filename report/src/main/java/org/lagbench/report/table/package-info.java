/** The lag summary table and its companions, as text, CSV, JSON, Markdown and LaTeX. */
@NullMarked
package org.lagbench.report.table;

import org.jspecify.annotations.NullMarked;
