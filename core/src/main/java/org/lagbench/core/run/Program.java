package org.lagbench.core.run;

/**
 * The program that sends and receives the packets of a run.
 *
 * @param engine the engine's name
 * @param jvmOptions options of its JVM; none if it has no JVM
 */
public record Program(String engine, JvmOptions jvmOptions) {}
