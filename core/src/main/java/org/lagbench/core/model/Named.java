package org.lagbench.core.model;

import java.util.List;

/** An entry of a {@link Registry}. */
public interface Named {
    /** Returns the name in experiments, files and on the control connection. */
    String name();

    /** Returns the settings that an experiment may have of it, with defaults and ranges. */
    default List<Parameter<?>> settings() {
        return List.of();
    }
}
