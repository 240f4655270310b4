package org.lagbench.core.run;

/**
 * What a sender knows of its network interfaces if they dropped something.
 *
 * @param queueDrops datagrams that a queue of the interfaces dropped, of all programs of the network namespace, the
 *     packets around the recorded ones included
 */
public record QueueDropFacts(long queueDrops) implements SideFacts {}
