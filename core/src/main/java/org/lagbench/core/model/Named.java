package org.lagbench.core.model;

/** An entry of a {@link Registry}. */
public interface Named {
    /** Returns the name in experiments, files and on the control connection. */
    String name();
}
