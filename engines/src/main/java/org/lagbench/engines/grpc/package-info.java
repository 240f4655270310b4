/** gRPC: one streaming call carries all packets, each as a message of plain bytes. */
@NullMarked
package org.lagbench.engines.grpc;

import org.jspecify.annotations.NullMarked;
