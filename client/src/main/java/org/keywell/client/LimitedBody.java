package org.keywell.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An answer's whole body, in memory; fails once it is longer than allowed. For one answer. */
public final class LimitedBody implements BodySubscriber<byte[]> {
  private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
  private final long limit;
  private final Function<String, IOException> refusal;
  private long received;
  private @Nullable Subscription subscription;

  /**
   * @param refusal makes the exception of a message, for an answer that is longer
   */
  public LimitedBody(long limitBytes, Function<String, IOException> refusal) {
    this.limit = limitBytes;
    this.refusal = refusal;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return whole.getBody();
  }

  @Override
  public void onSubscribe(Subscription newSubscription) {
    subscription = newSubscription;
    whole.onSubscribe(newSubscription);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    if (received > limit) {
      return; // in flight when the subscription was cancelled
    }
    for (ByteBuffer buffer : buffers) {
      received += buffer.remaining();
    }
    if (received <= limit) {
      whole.onNext(buffers);
    } else {
      if (subscription != null) {
        subscription.cancel();
      }
      whole.onError(refusal.apply("the answer is longer than " + limit + " bytes"));
    }
  }

  @Override
  public void onError(Throwable failure) {
    whole.onError(failure);
  }

  @Override
  public void onComplete() {
    whole.onComplete();
  }
}
