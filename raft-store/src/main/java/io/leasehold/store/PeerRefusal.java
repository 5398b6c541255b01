package io.leasehold.store;

/** Why something was refused that came to a member's port, or that answered at another one's. */
public enum PeerRefusal {
  /** It speaks as members do without TLS, and this node speaks TLS only. */
  PLAIN_TEXT("it speaks without TLS: give that node its TLS files"),
  /** It is neither TLS nor what members speak: a scanner, a health check, a mistaken address. */
  UNREADABLE("what it sends is not what members send: nothing but members should come here"),
  /** It has no certificate, or one that is expired, of a foreign authority or another cluster. */
  CERTIFICATE("its certificate is not accepted: renew it, or find out who that is"),
  /** It says that it is another node than its certificate names. */
  IDENTITY("it speaks for a node that its certificate does not name: find out who that is"),
  /** It is of another cluster. */
  OTHER_CLUSTER("it is of another cluster: correct the addresses"),
  /** It asks for what nobody is given, or only members. */
  NOT_OFFERED("it asks for what is not offered to it: find out who that is"),
  /** It sends a message that is larger than any of a member. */
  TOO_LARGE("it sends a larger message than members do: find out who that is");

  private final String meaning;

  PeerRefusal(String meaning) {
    this.meaning = meaning;
  }

  /** What it means, and what to do. */
  public String meaning() {
    return meaning;
  }
}
