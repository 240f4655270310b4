/** Java's Remote Method Invocation: each packet is a remote call with a byte array. A round trip returns the array. */
@NullMarked
package org.lagbench.engines.rmi;

import org.jspecify.annotations.NullMarked;
