"""Independent computations of metrics from captures, with which the Java tests compare the analysis."""
