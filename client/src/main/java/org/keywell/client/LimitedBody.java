package org.keywell.client;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** An answer's whole body; refuses one longer than any that a service sends. */
final class LimitedBody implements BodySubscriber<byte[]> {
  private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
  private final long limit;
  private long received;
  private @Nullable Subscription subscription;

  LimitedBody(long limitBytes) {
    limit = limitBytes;
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
      whole.onError(
          new UnexpectedAnswerException(
              "the answer is longer than " + limit + " bytes; is it a Keywell service?", null));
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
