package org.lagbench.core.run;

/**
 * What sends and receives the packets of a run.
 *
 * @param engine the engine's name
 * @param jvmOptions what its JVM is given; none where it has no JVM
 */
public record Program(String engine, JvmOptions jvmOptions) {}
