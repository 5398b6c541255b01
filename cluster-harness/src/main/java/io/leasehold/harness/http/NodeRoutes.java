package io.leasehold.harness.http;

import io.leasehold.harness.wire.DigestView;
import io.leasehold.harness.wire.HealthView;
import io.leasehold.harness.wire.SnapshotAnswer;
import io.leasehold.harness.wire.StatusView;
import io.leasehold.harness.wire.TransferAnswer;
import io.leasehold.store.Member;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What can be asked of the node itself. Confined to the loop. */
final class NodeRoutes {

  private static final Logger LOG = LoggerFactory.getLogger(NodeRoutes.class);

  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String ZIP = "application/zip";

  private final MemberControl member;
  private final PrometheusMeterRegistry registry;

  NodeRoutes(MemberControl member, PrometheusMeterRegistry registry) {
    this.member = member;
    this.registry = registry;
  }

  void status(Exchange exchange) {
    exchange.query();
    exchange.answer(StatusView.of(member.status()));
  }

  void metrics(Exchange exchange) {
    exchange.query();
    exchange.answer(200, PROMETHEUS, registry.scrape());
  }

  void transfer(Exchange exchange) {
    exchange.query();
    exchange.then(
        member.transferLeadership(exchange.fields("to").text("to")),
        (transferred, failure) -> {
          if (failure != null || transferred == null) {
            exchange.refuse(Refusal.missing(failure));
          } else {
            String leader = member.status().leader().orElse(null);
            exchange.answer(new TransferAnswer(transferred, leader));
          }
        });
  }

  void addMember(Exchange exchange) {
    exchange.query();
    RequestFields fields = exchange.fields("id", "address");
    Member added;
    try {
      added = Member.parse(fields.text("id") + "=" + fields.text("address"));
    } catch (IllegalArgumentException e) {
      throw Refusal.invalid("address", e.getMessage() == null ? "is wrong" : e.getMessage());
    }
    exchange.then(member.addMember(added), (unused, failure) -> membersOr(failure, exchange));
  }

  void removeMember(Exchange exchange) {
    exchange.query();
    exchange.then(
        member.removeMember(exchange.name()), (unused, failure) -> membersOr(failure, exchange));
  }

  private void membersOr(@Nullable Throwable failure, Exchange exchange) {
    if (failure != null) {
      exchange.refuse(failure);
    } else {
      exchange.answer(StatusView.of(member.status()));
    }
  }

  void snapshot(Exchange exchange) {
    exchange.query();
    exchange.then(
        member.snapshot(),
        (index, failure) -> {
          if (failure != null || index == null) {
            exchange.refuse(Refusal.missing(failure));
          } else {
            exchange.answer(new SnapshotAnswer(member.status().node(), index));
          }
        });
  }

  /** The backup is made in a file first: until it is whole it can still be refused. */
  void backup(Exchange exchange) {
    exchange.query();
    Path folder;
    try {
      folder = Files.createTempDirectory("leasehold-backup-");
    } catch (IOException e) {
      throw Refusal.unavailable("there is no room for the backup: " + e.getMessage());
    }
    Path file = folder.resolve("backup.zip");
    exchange.then(
        member.backup(file),
        (index, failure) -> {
          if (failure != null) {
            delete(folder, file);
            exchange.refuse(failure);
          } else {
            exchange.answer(file, ZIP, () -> delete(folder, file));
          }
        });
  }

  private static void delete(Path folder, Path file) {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      LOG.warn("a backup that has been sent cannot be deleted: {}", file, e);
    }
  }

  void digest(Exchange exchange) {
    exchange.then(
        member.digestAt(index(exchange.query("at").getOrDefault("at", "0"))),
        (digest, failure) -> {
          if (failure != null || digest == null) {
            exchange.refuse(Refusal.missing(failure));
          } else {
            exchange.answer(DigestView.of(member.status().node(), digest));
          }
        });
  }

  private static long index(String text) {
    if (!text.matches("[0-9]{1,18}")) {
      throw Refusal.invalid("at", "at must be the index of a log entry");
    }
    return Long.parseLong(text);
  }

  /** 200 when this node can serve, with what is wrong all the same; 503 when it cannot. */
  void health(Exchange exchange) {
    exchange.query();
    exchange.then(
        member.health(),
        (found, failure) -> {
          if (failure != null || found == null) {
            exchange.refuse(Refusal.missing(failure));
          } else if (found.serves()) {
            exchange.answer(HealthView.of(found));
          } else {
            exchange.refuse(Refusal.unavailable(found.reason()));
          }
        });
  }
}
