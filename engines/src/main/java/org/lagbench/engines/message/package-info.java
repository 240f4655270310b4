/** What the interfaces share: engines, packets, the framing of streams, and the loading of libraries. */
@NullMarked
package org.lagbench.engines.message;

import org.jspecify.annotations.NullMarked;
