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
import org.jspecify.annotations.Nullable;

/**
 * What {@code node.properties} says: whose folder it stands in, in which format, and whether that
 * has ever been in the group. Safe for many threads.
 */
final class NodeIdentity {

  /** The format that this version writes, and the newest that it reads. */
  static final int FORMAT = 1;

  static final String FILE = "node.properties";

  private final Path root;
  private final StoreConfig config;
  private boolean joined;

  private NodeIdentity(Path root, StoreConfig config) {
    this.root = root;
    this.config = config;
  }

  /** Makes an empty folder this node's. */
  static NodeIdentity create(Path root, StoreConfig config) throws IOException {
    NodeIdentity identity = new NodeIdentity(root, config);
    identity.write(false);
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
    joined = Boolean.parseBoolean(written);
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
            "joined=" + nowJoined,
            ""));
    joined = nowJoined;
  }
}
