package org.lagbench.analysis.statistics;

import java.util.function.LongConsumer;
import org.lagbench.core.failure.LagbenchException;

/**
 * Numbers that can be read repeatedly, in the same order each time. They usually come from a file, and may be more than
 * fit in memory.
 */
@FunctionalInterface
public interface LongValues {
    /** Passes every value to the consumer. */
    void forEach(LongConsumer consumer) throws LagbenchException;
}
