package org.keywell.dss;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** An answer's whole body; fails once it is longer than allowed. */
final class LimitedBody implements BodySubscriber<byte[]> {
  private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
  private final int limit;
  private long received;
  private @Nullable Subscription subscription;

  LimitedBody(int limitBytes) {
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
      return;
    }
    if (subscription != null) {
      subscription.cancel();
    }
    whole.onError(new IOException("the answer is longer than " + limit + " bytes"));
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
