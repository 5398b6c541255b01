package io.leasehold.bench.floor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Who holds what, and who waits for it, in order. Confined to one thread. */
final class FloorTable {

  private final Map<String, Deque<FloorRequest>> holderAndWaiters = new HashMap<>();

  /** Decides a request, and answers whoever it concerns. */
  void apply(FloorRequest request) {
    Deque<FloorRequest> line =
        holderAndWaiters.computeIfAbsent(request.lease(), lease -> new ArrayDeque<>(1));
    switch (request.kind()) {
      case ACQUIRE -> {
        if (line.isEmpty()) {
          line.add(request);
        }
        request.answer().complete(isHeldBy(request.owner(), line));
      }
      case ACQUIRE_OR_WAIT -> {
        line.add(request);
        if (line.size() == 1) {
          request.answer().complete(true);
        }
      }
      case RELEASE -> {
        boolean held = isHeldBy(request.owner(), line);
        if (held) {
          line.remove();
          FloorRequest next = line.peek();
          if (next != null) {
            next.answer().complete(true);
          } else {
            holderAndWaiters.remove(request.lease());
          }
        }
        request.answer().complete(held);
      }
    }
  }

  private static boolean isHeldBy(String owner, Deque<FloorRequest> line) {
    FloorRequest holder = line.peek();
    return holder != null && holder.owner().equals(owner);
  }
}
