package io.leasehold.store.ratis;

import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.ratis.protocol.RaftGroupId;
import org.jspecify.annotations.Nullable;

/**
 * What {@code node.properties} says: whose folder it stands in, in which format, and whether that
 * has ever been in the group. Safe for many threads.
 */
final class NodeIdentity {

  /** The format that this version writes, and the newest that it reads. */
  static final int FORMAT = 1;

  static final String FILE = "node.properties";

  private static final String BACKUP = "backup";
  private static final String TOKEN_FLOOR = "tokenFloor";

  private final Path root;
  private final StoreConfig config;
  private Origin origin = Origin.NOTHING;
  private boolean joined;

  private NodeIdentity(Path root, StoreConfig config) {
    this.root = root;
    this.config = config;
  }

  /**
   * What its cluster began with.
   *
   * @param backup names the backup; empty if it began with nothing
   * @param tokenFloor above what its tokens have to be; 0 if it began with nothing
   */
  record Origin(String backup, long tokenFloor) {

    static final Origin NOTHING = new Origin("", 0);
  }

  /** Makes an empty folder this node's. */
  static NodeIdentity create(Path root, StoreConfig config) throws IOException {
    NodeIdentity identity = new NodeIdentity(root, config);
    identity.write(false);
    return identity;
  }

  /** Is to make a folder this node's; only what {@link #joined} writes does. */
  static NodeIdentity restored(Path root, StoreConfig config, Origin origin) {
    NodeIdentity identity = new NodeIdentity(root, config);
    identity.origin = origin;
    return identity;
  }

  /**
   * Reads it.
   *
   * @throws StoreStartException if the folder is another node's, or that cannot be told
   */
  static NodeIdentity read(Path root, StoreConfig config) throws IOException {
    NodeIdentity identity = new NodeIdentity(root, config);
    identity.check(identity.read());
    return identity;
  }

  /** Returns what the cluster began with. */
  synchronized Origin origin() {
    return origin;
  }

  /** Returns the group that this folder is of. */
  RaftGroupId groupId() {
    return RatisSettings.groupId(config, origin().backup());
  }

  synchronized boolean hasJoined() {
    return joined;
  }

  /** Notes for ever that this folder has been in the group. Called before the first vote. */
  synchronized void joined() throws IOException {
    if (!joined) {
      write(true);
    }
  }

  private Properties read() throws IOException {
    Properties identity = new Properties();
    try (var reader = Files.newBufferedReader(root.resolve(FILE), StandardCharsets.UTF_8)) {
      identity.load(reader);
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw damaged(e);
    }
    return identity;
  }

  private StoreStartException damaged(@Nullable Throwable cause) {
    return new StoreStartException(
        "%s is damaged: %s".formatted(root.resolve(FILE), StartFailures.STAY_AWAY), cause);
  }

  private synchronized void check(Properties identity) {
    String format = identity.getProperty("format", "");
    if (!format.matches("[1-9][0-9]{0,8}")) {
      throw damaged(null);
    }
    if (!format.equals(Integer.toString(FORMAT))) {
      throw new StoreStartException(
          "folder %s has format '%s' and this version reads %d: start the version that wrote it, or a newer one"
              .formatted(root, format, FORMAT),
          null);
    }
    String written = identity.getProperty("joined", "");
    if (!written.equals("true") && !written.equals("false")) {
      // It is written last: what has lost it may have lost the end of any other line.
      throw damaged(null);
    }
    checkOwner("cluster", config.cluster(), identity.getProperty("cluster", ""));
    checkOwner("node", config.nodeId(), identity.getProperty("node", ""));
    checkMembers(identity.getProperty("members", ""));
    origin = origin(identity);
    joined = Boolean.parseBoolean(written);
  }

  private Origin origin(Properties identity) {
    String backup = identity.getProperty(BACKUP, "");
    String floor = identity.getProperty(TOKEN_FLOOR, "0");
    if (!backup.matches("[0-9a-f-]{0,100}") || !floor.matches("[0-9]{1,16}")) {
      throw damaged(null);
    }
    return new Origin(backup, Long.parseLong(floor));
  }

  /** The group is what its log says; a list that differs would only mislead this node. */
  private void checkMembers(String found) {
    if (!found.equals(RatisSettings.memberIds(config))) {
      throw new StoreStartException(
          "folder %s is of a cluster of members %s and not %s: start this node with the list it had"
              .formatted(root, found, RatisSettings.memberIds(config)),
          null);
    }
  }

  private void checkOwner(String what, String wanted, String found) {
    if (!found.equals(wanted)) {
      throw new StoreStartException(
          "folder %s belongs to %s '%s' and not to '%s': give this node its own folder"
              .formatted(root, what, found, wanted),
          null);
    }
  }

  private synchronized void write(boolean nowJoined) throws IOException {
    DurableFiles.replace(
        root.resolve(FILE),
        List.of(
            "# Whose folder this is. Do not edit, and do not copy the folder to another node.",
            "format=" + FORMAT,
            "cluster=" + config.cluster(),
            "node=" + config.nodeId(),
            "members=" + RatisSettings.memberIds(config),
            BACKUP + "=" + origin.backup(),
            TOKEN_FLOOR + "=" + origin.tokenFloor(),
            "joined=" + nowJoined,
            ""));
    joined = nowJoined;
  }
}
