-- Signed messages that were taken from a broker, so that each is taken once: by any instance, and after a restart too.
CREATE TABLE seen_message (
    caller       text        NOT NULL,
    message_id   text        NOT NULL,
    delivery     text        NOT NULL,
    usable_until timestamptz NOT NULL,
    PRIMARY KEY (caller, message_id)
);

CREATE INDEX seen_message_usable_until ON seen_message (usable_until);

COMMENT ON COLUMN seen_message.message_id IS 'The Message-ID that its sender signed';
COMMENT ON COLUMN seen_message.delivery IS
    'The broker''s own number of the message: another one is a copy, the same one a repeated delivery';
COMMENT ON COLUMN seen_message.usable_until IS 'From then on it is refused as too old, and the row may go';
