package org.lagbench.core.run;

/**
 * The CPU quota of a side of a run, which without one has none of these.
 *
 * @param cpuQuota the CPUs that the control groups of this side may use
 * @param cpuQuotaThrottledNs the time in which the quota stopped this side, in ns, the sum over CPUs
 */
public record QuotaFacts(double cpuQuota, long cpuQuotaThrottledNs) implements SideFacts {}
