/** Packets of many sessions as Apache Parquet, for query engines. */
@NullMarked
package org.lagbench.dataset;

import org.jspecify.annotations.NullMarked;
