package org.lagbench.report.figure;

import java.util.List;
import org.lagbench.core.failure.LagbenchException;

/** One kind of figure. A new one is a class and its line in {@link AllFigures}. */
public interface Figure {
    /** Its name on the command line, with which the names of its files begin. */
    String name();

    /** What it shows, for the help. */
    String description();

    /** What a session must have for it, as the end of the sentence "Left out: …, for want of …". */
    String needs();

    /**
     * Makes it of a session.
     *
     * @return its drawings; none if the session has no data for it
     * @throws LagbenchException if the captures cannot be read
     */
    List<Drawing> of(Material material) throws LagbenchException;
}
