package io.leasehold.harness.shards;

/** What a region says to a coordinator. */
enum Verdict {
  /** It does as it is told. */
  ACCEPTED,
  /** It has heard of a newer coordinator; nothing has changed. */
  STALE,
  /** This life of the region is over, or was never there; nothing has changed. */
  GONE
}
