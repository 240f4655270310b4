/** What a receiver of audio or video would say of a run: one class a metric, each by its RFC. */
@NullMarked
package org.lagbench.analysis.media;

import org.jspecify.annotations.NullMarked;
