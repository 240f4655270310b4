/** The tables of a summary and of its comparisons as text, CSV, JSON, Markdown and LaTeX. */
@NullMarked
package org.lagbench.report.table;

import org.jspecify.annotations.NullMarked;
