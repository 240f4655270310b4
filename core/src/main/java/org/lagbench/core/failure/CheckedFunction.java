package org.lagbench.core.failure;

import java.util.ArrayList;
import java.util.List;

/** A function that may fail. */
@FunctionalInterface
public interface CheckedFunction<T, R> {
    R apply(T value) throws LagbenchException;

    /**
     * Returns the results for values, in their order.
     *
     * @throws LagbenchException the first failure; the function is not applied to the values after it
     */
    static <T, R> List<R> each(Iterable<T> values, CheckedFunction<T, R> function) throws LagbenchException {
        List<R> results = new ArrayList<>();
        for (T value : values) {
            results.add(function.apply(value));
        }
        return results;
    }
}
