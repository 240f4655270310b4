/**
 * RIST: the transport {@code rist} and the engine {@code librist}, a program in C over librist (src/main/rist). The
 * receiver requests lost packets again, and delivers each packet a fixed time after it was sent.
 */
@NullMarked
package org.lagbench.engines.rist;

import org.jspecify.annotations.NullMarked;
