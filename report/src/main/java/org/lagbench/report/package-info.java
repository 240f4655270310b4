/**
 * Numbers in; tables, CSV, JSON, figures, pages and exports out. {@code table} writes summaries, {@code figure} makes
 * the figures that {@code plot} draws, {@code page} makes {@code report.html}, {@code export} writes the packets for
 * other programs, {@code tune} reports a tune.
 */
@NullMarked
package org.lagbench.report;

import org.jspecify.annotations.NullMarked;
