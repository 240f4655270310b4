/** The service provider interface of network types. */
@NullMarked
package org.lagbench.core.transport;

import org.jspecify.annotations.NullMarked;
