/** The live page: a server for browsers on this machine, its events, and its files. */
@NullMarked
package org.lagbench.monitor.live;

import org.jspecify.annotations.NullMarked;
