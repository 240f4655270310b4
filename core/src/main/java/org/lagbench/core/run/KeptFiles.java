package org.lagbench.core.run;

/**
 * The files of a run that a side keeps, besides those in the session.
 *
 * @param directory of the run on this side's host
 */
public record KeptFiles(String directory) implements SideFacts {}
