package org.lagbench.core.file;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The smallest and the largest number that a component of a record can be in JSON. For a text it is the number of
 * characters, for a list or a mapping the number of elements. {@link StrictJson} refuses what is not within.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Within {
    /** The latest accepted time, in ns since the epoch: the year 2116. Differences of such times do not overflow. */
    long LATEST_NS = 1L << 62;

    /** The maximum number of characters of a text that people read. */
    int TEXT = 5_000;

    int MAXIMUM_PORT = 65_535;

    long min() default 0;

    long max() default Long.MAX_VALUE;
}
