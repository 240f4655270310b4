package org.lagbench.core.run;

/**
 * What a sender knows of packets that its host dropped without an error of a call, the packets around the recorded ones
 * included.
 *
 * @param queueDrops packets that a queue of the interfaces dropped; datagrams of other programs of the network
 *     namespace count too
 * @param unresolvedDrops packets whose next hop had no known link address, of all network namespaces
 */
public record QueueDropFacts(long queueDrops, long unresolvedDrops) implements SideFacts {}
