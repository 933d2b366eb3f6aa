-- Which instance was signing with which token, and when it last said so: a hint for the generators of
-- others that use the token, too. Unlogged: writing a row waits for no disk and no standby, and what a
-- crash or a fail-over takes away is said again half a second later. The version before knows nothing of it.
CREATE UNLOGGED TABLE token_use (
    token    text        NOT NULL,
    instance text        NOT NULL,
    busy_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (token, instance)
) WITH (fillfactor = 50);

COMMENT ON COLUMN token_use.token IS 'Manufacturer, model, serial number and label of CK_TOKEN_INFO';
