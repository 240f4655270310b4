package org.lagbench.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Where {@code lagbench --help} lists a subcommand. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Listed {
    HelpSection in();

    /** Returns the position in the section, from 0. */
    int order();
}
