package io.leasehold.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.holder.Claim;
import io.leasehold.holder.ClaimStore;

/**
 * A key for each lease that is held, under one prefix.
 *
 * @param client stays its owner's
 * @param prefix of all keys
 */
record EtcdStore(Client client, String prefix) implements ClaimStore {

  @Override
  public Claim claim(LeaseSettings settings) {
    return new EtcdClaim(client, key(settings.name()), settings);
  }

  /** The first hint is that it watches from now on: what came before it is not missed. */
  @Override
  public Subscription watch(String name, Runnable freed) {
    WatchOption deletions = WatchOption.builder().withNoPut(true).withCreateNotify(true).build();
    Watch.Watcher watcher =
        client.getWatchClient().watch(key(name), deletions, deleted -> freed.run());
    return watcher::close;
  }

  private ByteSequence key(String name) {
    return ByteSequence.from(prefix + name, UTF_8);
  }
}
