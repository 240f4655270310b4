package org.lagbench.core.run;

/**
 * What sends and receives the packets of a run.
 *
 * @param implementation what it is written in
 * @param jvmOptions what its JVM is given; none where it has no JVM
 */
public record Program(Implementation implementation, JvmOptions jvmOptions) {
    /** The Java programs on a JVM without options. */
    public static final Program DEFAULT = new Program(Implementation.JAVA, JvmOptions.NONE);

    public Program {
        if (implementation != Implementation.JAVA && !jvmOptions.options().isEmpty()) {
            throw new IllegalArgumentException("JVM options for a program without a JVM");
        }
    }
}
