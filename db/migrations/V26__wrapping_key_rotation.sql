-- Rotation of wrapping keys: what the command and the running instances tell each other.

CREATE TABLE wrapping_key_rotation (
    old_id     text        PRIMARY KEY,
    new_id     text        NOT NULL,
    step       text        NOT NULL
        CHECK (step IN ('making', 'offered', 'switched', 'withdrawn', 'done')),
    begun_at   timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now()
);

COMMENT ON COLUMN wrapping_key_rotation.new_id IS 'While it is being made, only its label';

-- Each instance has its own rows; they count while it runs.
CREATE TABLE wrapping_key_use (
    instance        text NOT NULL,
    device          text NOT NULL,
    token           text NOT NULL,
    wrapping_key_id text NOT NULL,
    used_as         text NOT NULL CHECK (used_as IN ('wraps', 'unwraps', 'withdrawn')),
    PRIMARY KEY (instance, device, token, wrapping_key_id)
);

COMMENT ON COLUMN wrapping_key_use.used_as IS 'withdrawn: in the token, and not used any more';
