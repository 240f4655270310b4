package org.lagbench.core.run;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.lagbench.core.model.TextEnum;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.annotation.EnumNaming;

/** Recordings that a run can make besides the stamps of its packets. */
@EnumNaming(EnumNamingStrategies.KebabCaseStrategy.class)
public enum Observation implements TextEnum {
    /** What delayed the two processes: garbage collection, compilation, the scheduler. Delays packets by some µs. */
    CAUSES,
    /** When the kernel handled each packet. */
    STAGES;

    /** The word for no observation. */
    public static final String NOTHING = "nothing";

    /** The observations of an experiment that names none. */
    public static final Set<Observation> DEFAULT = Set.of();

    /** Returns the names as {@link #parse} reads them: {@code causes,stages}, or {@code nothing}. */
    public static String text(Set<Observation> observed) {
        return observed.isEmpty()
                ? NOTHING
                : observed.stream().sorted().map(Observation::text).collect(Collectors.joining(","));
    }

    /**
     * Reads names separated by commas, or {@code nothing}.
     *
     * @throws IllegalArgumentException if one is not accepted; the message says what is
     */
    public static Set<Observation> parse(String text) {
        return text.equals(NOTHING)
                ? Set.of()
                : Arrays.stream(text.split(",", -1))
                        .map(name -> TextEnum.parse(Observation.class, "--observe", name))
                        .collect(Collectors.toUnmodifiableSet());
    }
}
