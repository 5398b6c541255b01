package io.leasehold.harness.http;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.harness.wire.ErrorView;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Why a call gets no proper answer, and what it gets instead. */
public final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(Refusal.class);

  private final int status;
  private final transient ErrorView view;

  private Refusal(int status, String error, @Nullable String field, String message) {
    super(message, null, false, false);
    this.status = status;
    this.view = new ErrorView(error, field, message);
  }

  /** The request is wrong in one field; the message says how. */
  public static Refusal invalid(String field, String message) {
    return new Refusal(400, "invalid", field, message);
  }

  /** The request is wrong in a way that has its own code, such as 404. */
  public static Refusal invalid(int status, String field, String message) {
    return new Refusal(status, "invalid", field, message);
  }

  /** The call certainly had no effect. */
  public static Refusal unavailable(String message) {
    return new Refusal(503, "unavailable", null, message);
  }

  /** The call may have had an effect. */
  public static Refusal indeterminate(String message) {
    return new Refusal(503, "indeterminate", null, message);
  }

  /** Sorts a failure; one that nobody foresaw is logged here and told without its insides. */
  static Refusal of(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof Refusal refusal) {
      return refusal;
    }
    if (cause instanceof InvalidLeaseArgumentException invalid) {
      return invalid(invalid.field(), messageOf(cause));
    }
    if (cause instanceof LeaseUnavailableException) {
      return unavailable(messageOf(cause));
    }
    if (cause instanceof LeaseIndeterminateException) {
      return indeterminate(messageOf(cause));
    }
    if (cause instanceof CancellationException) {
      return indeterminate("the call was withdrawn");
    }
    LOG.error("a call failed for a reason that should not occur", cause);
    return new Refusal(500, "internal", null, "this node failed to answer; its log says why");
  }

  /** The failure of a stage that has brought no value. */
  static Throwable missing(@Nullable Throwable failure) {
    return failure != null ? failure : new IllegalStateException("a stage completed with null");
  }

  int status() {
    return status;
  }

  ErrorView view() {
    return view;
  }

  private static String messageOf(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
