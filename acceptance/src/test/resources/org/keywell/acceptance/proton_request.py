"""Sends a request over AMQP 1.0 with Qpid Proton, and keeps its answer.

proton_request.py PORT USER PASSWORD QUEUE REPLIES REQUEST ANSWER: the last two are files.
"""

import sys
from pathlib import Path

from proton import Message
from proton.utils import BlockingConnection

PORT, USER, PASSWORD, QUEUE, REPLIES, REQUEST, ANSWER = sys.argv[1:]
SECONDS = 20

connection = BlockingConnection(
    f"amqp://127.0.0.1:{PORT}",
    timeout=SECONDS,
    user=USER,
    password=PASSWORD,
    allowed_mechs="PLAIN",
    allow_insecure_mechs=True,
)
try:
    replies = connection.create_receiver(REPLIES, credit=1)
    connection.create_sender(QUEUE).send(Message(body=Path(REQUEST).read_bytes()))
    answer = replies.receive(timeout=SECONDS)
    replies.accept()
    Path(ANSWER).write_bytes(bytes(answer.body))
    print("answered")
finally:
    connection.close()
