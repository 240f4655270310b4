package org.lagbench.experiment;

import org.lagbench.core.model.TextEnum;

/**
 * What {@code lagbench capacity} measures.
 *
 * @param budgetMb the maximum number of megabytes to send
 */
public record CapacitySpec(Method method, int budgetMb) {
    public static final CapacitySpec DEFAULT = new CapacitySpec(Method.TCP, 100);

    /** What to measure. */
    public enum Method implements TextEnum {
        /** The rate of TCP. */
        TCP,
        /** The bandwidth that other traffic leaves. */
        AVAILABLE,
        /** The maximum IP-layer capacity (RFC 9097). */
        UDP
    }

    /** Returns the section of an experiment as {@code key=value}. */
    public String override() {
        return ExperimentKeys.CAPACITY + "=" + YamlWriter.mapping(ExperimentKeys.CAPACITIES, this);
    }
}
