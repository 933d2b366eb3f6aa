package org.keywell.jms;

import jakarta.jms.JMSException;

/** Finds out what the messages of a queue are. Thread-safe. */
interface RequestReader {

  /** Believes of the message only what the queue's protection, or else the broker, vouches for. */
  Incoming read(Delivery delivery) throws JMSException;
}
