package org.lagbench.core.text;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What earlier versions named otherwise: experiment files and records with these names are still read. */
public final class FormerNames {
    private static final Map<String, String> PARAMETERS =
            Map.of("answer-timeout", "reply-timeout", "answer-channel", "reply-channel", "chunk-bytes", "packet-bytes");

    /** The former names of members of records, by their current names. */
    private static final Map<String, String> MEMBERS = Map.of("replyTimeout", "answerTimeout", "metadata", "facts");

    private FormerNames() {}

    /** Returns the current name of a parameter: the name itself, unless it is a former one. */
    public static String current(String name) {
        return PARAMETERS.getOrDefault(name, name);
    }

    /** Returns the former name of a member of a record; null if it always had its name. */
    public static @Nullable String ofMember(String name) {
        return MEMBERS.get(name);
    }
}
