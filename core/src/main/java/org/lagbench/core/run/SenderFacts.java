package org.lagbench.core.run;

/**
 * What a sender sent around the recorded packets.
 *
 * @param leadOutPackets the packets after them
 */
public record SenderFacts(long leadOutPackets) implements SideFacts {}
