package org.lagbench.report.table;

import java.util.function.IntSupplier;

/**
 * The number of columns of texts for a terminal: the value of the environment variable {@value #VARIABLE}, else what
 * {@link #set} was given, else {@value #DEFAULT}.
 */
public final class TextColumns {
    static final int DEFAULT = 120;

    private static final String VARIABLE = "COLUMNS";
    private static final int MINIMUM = 40;

    private static volatile IntSupplier terminal = () -> DEFAULT;

    private TextColumns() {}

    /**
     * Sets what returns the width of the terminal on which this process writes. It is called for each line, and must
     * not take long.
     */
    public static void set(IntSupplier terminalColumns) {
        terminal = terminalColumns;
    }

    /** Returns the number of columns that a line may have, at least {@value #MINIMUM}. */
    public static int get() {
        String variable = System.getenv(VARIABLE);
        return variable != null && variable.matches("\\d{1,5}")
                ? Math.max(MINIMUM, Integer.parseInt(variable))
                : Math.max(MINIMUM, terminal.getAsInt());
    }
}
