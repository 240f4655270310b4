/** The tables of a summary as text, CSV, JSON, Markdown and LaTeX. */
@NullMarked
package org.lagbench.report.table;

import org.jspecify.annotations.NullMarked;
