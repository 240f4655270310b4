package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * What a receiver counted in addition to {@link RunRecord.Counts}.
 *
 * @param warmUpReceived the packets before the recorded ones that arrived; null if it did not count them
 * @param damagedPackets the lost packets that arrived damaged; null if there were none
 */
public record ReceiverFacts(@Nullable Long warmUpReceived, @Nullable Long damagedPackets) implements SideFacts {}
