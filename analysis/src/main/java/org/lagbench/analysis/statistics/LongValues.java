package org.lagbench.analysis.statistics;

import java.util.function.LongConsumer;
import org.lagbench.core.failure.LagbenchException;

/**
 * Numbers that can be gone through again and again, each time the same and in the same order. They are usually read
 * from a file, so that there may be more of them than memory holds.
 */
@FunctionalInterface
public interface LongValues {
    /**
     * Hands every value to the consumer.
     *
     * @throws LagbenchException if they cannot be read
     */
    void forEach(LongConsumer consumer) throws LagbenchException;
}
