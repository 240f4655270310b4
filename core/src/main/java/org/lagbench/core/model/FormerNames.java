package org.lagbench.core.model;

import java.util.Map;

/** Parameters that earlier versions named otherwise: experiment files and records with these names are still read. */
public final class FormerNames {
    private static final Map<String, String> CURRENT =
            Map.of("answer-timeout", "reply-timeout", "answer-channel", "reply-channel");

    private FormerNames() {}

    /** Returns the current name of a parameter: the name itself, unless it is a former one. */
    public static String current(String name) {
        return CURRENT.getOrDefault(name, name);
    }
}
