package org.lagbench.analysis.summary;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.StampStep;

/**
 * A step of a clock that the stamps of a run show.
 *
 * @param noticedBy "sender" or "receiver" if that host noticed that its clock was set; null if none did
 */
public record RunStep(String run, StampStep step, @Nullable String noticedBy) {}
