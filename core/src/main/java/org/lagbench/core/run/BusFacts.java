package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * A side's bus.
 *
 * @param bus the controller's name, or "virtual bus"
 * @param packetsOverwritten the packets that the controller's receive ring overwrote before they were read; null for a
 *     sender
 */
public record BusFacts(String bus, @Nullable Long packetsOverwritten) implements SideFacts {}
