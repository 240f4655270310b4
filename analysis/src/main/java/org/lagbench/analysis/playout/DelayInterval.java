package org.lagbench.analysis.playout;

import org.jspecify.annotations.Nullable;

/**
 * An interval of 95 % confidence for a delay.
 *
 * @param lowNs its lower end in ns; null if even that is more than any delay seen, for want of packets that came
 * @param highNs its upper end in ns; null if it is open: too few packets are late, or too many are lost, to tell
 */
public record DelayInterval(@Nullable Long lowNs, @Nullable Long highNs) {}
