package org.lagbench.analysis.media;

import org.jspecify.annotations.Nullable;

/**
 * A 95 % confidence interval of a delay.
 *
 * @param lowNs lower end in ns; null if it exceeds every delay seen, because too few packets arrived
 * @param highNs upper end in ns; null if unbounded, because too few packets are late or too many lost
 */
public record DelayInterval(@Nullable Long lowNs, @Nullable Long highNs) {}
