"""What benchmarks, and some tests, are made with."""
