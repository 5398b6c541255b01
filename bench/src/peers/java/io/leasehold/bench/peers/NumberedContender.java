package io.leasehold.bench.peers;

import io.leasehold.bench.load.Contender;
import java.util.concurrent.CompletionStage;

/**
 * A contender of a peer, with what the peer knows of a grant: neither is measured, both are what
 * the contract of leases asks for. Calls follow each other.
 */
interface NumberedContender extends Contender {

  /** The number that the peer gave to the latest grant, as a fencing token. */
  long number();

  /** Completes with whether the peer still has the latest grant; renews it if the peer can. */
  CompletionStage<Boolean> confirm();
}
