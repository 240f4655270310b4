package org.lagbench.core.engine;

/** The traffic patterns of a run. */
public enum Traffic {
    /** The sender sends, the receiver receives. */
    ONE_WAY
}
