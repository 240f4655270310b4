package org.lagbench.core.engine;

/** What the packets of a run do. */
public enum Traffic {
    /** The sender sends, the receiver receives. */
    ONE_WAY
}
