-- Messages of a broker that were delivered before and are worked on again. A row whose attempt is over goes: one that
-- is found belongs to an attempt that the end of a process cut off.
CREATE TABLE message_attempt (
    queue    text        NOT NULL,
    message  text        NOT NULL,
    instance text        NOT NULL,
    cut_off  integer     NOT NULL DEFAULT 0 CHECK (cut_off >= 0),
    since    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (queue, message)
);

COMMENT ON COLUMN message_attempt.message IS 'The broker''s own number of the message, and when it was sent';
COMMENT ON COLUMN message_attempt.cut_off IS 'Attempts before this one that have no end';
