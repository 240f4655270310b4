package org.lagbench.core.registry;

/** Something that is registered by name. */
public interface Named {
    /** The name in experiments, files and on the control connection. */
    String name();
}
