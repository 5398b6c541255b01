package io.leasehold.bench.load;

/** How a caller waits for an answer. */
enum CallerStyle {
  /** One thread for each caller, which blocks. */
  THREADS,
  /** No thread: each answer causes the next call. */
  STAGES
}
