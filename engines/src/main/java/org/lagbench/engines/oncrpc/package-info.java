/** ONC RPC: a program in C over libtirpc calls the receiver with each packet, as RMI does in Java. */
@NullMarked
package org.lagbench.engines.oncrpc;

import org.jspecify.annotations.NullMarked;
