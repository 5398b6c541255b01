package io.leasehold.bench.peers;

import io.leasehold.bench.cluster.BenchLog;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jgroups.JChannel;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.raft.FileBasedLog;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.raft.RaftHandle;

/** One member of a group that replicates a {@link LockTable}, with its log synced to disk. */
record JGroupsMember(JChannel channel, RaftHandle replica) implements AutoCloseable {

  private static final String STACK = "/jgroups-raft.xml";
  private static final String HOST = "127.0.0.1";

  /** Arguments: its number, the folder of the group, and the ports of all members. */
  public static void main(String[] args) {
    BenchLog.quiet();
    PeerProcesses.endWithParent();
    List<Integer> ports =
        List.of(args).subList(2, args.length).stream().map(Integer::valueOf).toList();
    JGroupsMember unusedForItServesByItself =
        start(Integer.parseInt(args[0]), Path.of(args[1]), ports);
  }

  /**
   * Starts a member; it has joined when this returns, but there need not be a leader.
   *
   * @param number which member, and which of the ports
   */
  static JGroupsMember start(int number, Path folder, List<Integer> ports) {
    try (InputStream stack = JGroupsMember.class.getResourceAsStream(STACK)) {
      JChannel channel = new JChannel(stack).name(name(number));
      TCP tcp = channel.getProtocolStack().findProtocol(TCP.class);
      tcp.setBindPort(ports.get(number));
      TCPPING discovery = channel.getProtocolStack().findProtocol(TCPPING.class);
      discovery.setInitialHosts(
          ports.stream().map(port -> new InetSocketAddress(HOST, port)).toList());
      RAFT raft = channel.getProtocolStack().findProtocol(RAFT.class);
      raft.members(IntStream.range(0, ports.size()).mapToObj(JGroupsMember::name).toList())
          .raftId(name(number))
          .logClass(FileBasedLog.class.getName())
          .logDir(folder.toString())
          .logUseFsync(true);
      RaftHandle replica = new RaftHandle(channel, new LockTable());
      channel.connect("leases");
      return new JGroupsMember(channel, replica);
    } catch (Exception e) {
      throw new IllegalStateException("cannot start member " + number + " of jgroups-raft", e);
    }
  }

  private static String name(int number) {
    return "n" + (number + 1);
  }

  @Override
  public void close() {
    channel.close();
  }
}
