-- What became of keys, counted in the very statements that move them: at any moment, for each kind and
-- each wrapping key,
--   rows of pool_key    = generated + put-back + corrected - claimed
--   rows of claimed_key = claimed - put-back - used - forfeited - discarded
-- and so generated + corrected = stored + claimed and not ended + used + forfeited + discarded.

-- Nothing moves while the counters are given their first values.
LOCK TABLE pool_key, claimed_key IN ACCESS EXCLUSIVE MODE;

-- A row for each instance, so that instances do not wait for each other, and for each move, so that
-- those who sign do not wait for those who generate. Half of a page is left for new versions of its
-- rows, which change with each transaction.
CREATE TABLE key_ledger (
    instance        text   NOT NULL,
    key_spec        text   NOT NULL,
    wrapping_key_id text   NOT NULL,
    move            text   NOT NULL CHECK (move IN (
        'generated', 'claimed', 'put-back', 'used', 'forfeited', 'discarded', 'corrected')),
    keys            bigint NOT NULL CHECK (keys >= 0 OR move = 'corrected'),
    PRIMARY KEY (instance, key_spec, wrapping_key_id, move)
) WITH (fillfactor = 50);

COMMENT ON TABLE key_ledger IS 'How many keys made each move, by the instance that moved them';
COMMENT ON COLUMN key_ledger.move IS
    'corrected: written by hand for stored keys that came or went by no statement of Keywell''s';

-- Keys that instances have in the making: with the stored ones they never exceed max-stored.
CREATE TABLE key_reservation (
    instance        text   NOT NULL,
    key_spec        text   NOT NULL,
    wrapping_key_id text   NOT NULL,
    keys            bigint NOT NULL CHECK (keys >= 0),
    PRIMARY KEY (instance, key_spec, wrapping_key_id)
) WITH (fillfactor = 50);

-- What an instance found when it last compared, while no request was at hand: of each kind, its claimed
-- keys with those that it has loaded; and the keys that it has loaded with the HSM's live objects.
CREATE TABLE key_report (
    instance        text        NOT NULL,
    part            text        NOT NULL,
    wrapping_key_id text        NOT NULL,
    expected        bigint      NOT NULL,
    found           bigint      NOT NULL,
    reported_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (instance, part)
) WITH (fillfactor = 50);

COMMENT ON COLUMN key_report.part IS 'A kind of key, or HSM';

-- Of a claimed key nobody knew it once its row was gone. The version before does not write it: what it
-- claims is completed below. Of what it had claimed before now, the kind's most frequent one is taken;
-- databases with several wrapping keys may need a correction (docs/RUNBOOKS.md, KeywellKeysUnbalanced).
ALTER TABLE claimed_key ADD COLUMN wrapping_key_id text;

UPDATE claimed_key SET wrapping_key_id = coalesce(
    (SELECT p.wrapping_key_id FROM pool_key p WHERE p.key_spec = claimed_key.key_spec
     GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1),
    (SELECT p.wrapping_key_id FROM pool_key p GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1));

INSERT INTO key_ledger (instance, key_spec, wrapping_key_id, move, keys)
SELECT 'before', key_spec, coalesce(wrapping_key_id, 'unknown'), 'generated', count(*)
FROM (SELECT key_spec, wrapping_key_id FROM pool_key
      UNION ALL SELECT key_spec, wrapping_key_id FROM claimed_key) AS k
GROUP BY 2, 3
UNION ALL
SELECT 'before', key_spec, coalesce(wrapping_key_id, 'unknown'), 'claimed', count(*)
FROM claimed_key GROUP BY 2, 3;

-- The version before may run beside this one for a while. Its statements do not count, so the database
-- counts for them; it knows them by their text. Any other statement that moves keys, such as one by
-- hand, is not counted, and shows as a difference. The next version drops all of this.
CREATE FUNCTION count_key(instance text, key_spec text, wrapping_key_id text, move text)
RETURNS void LANGUAGE sql AS $$
    INSERT INTO key_ledger AS l (instance, key_spec, wrapping_key_id, move, keys)
    VALUES ($1, $2, coalesce($3, 'unknown'), $4, 1)
    ON CONFLICT ON CONSTRAINT key_ledger_pkey DO UPDATE SET keys = l.keys + 1
$$;

CREATE FUNCTION count_former_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM count_key('before', NEW.key_spec, NEW.wrapping_key_id, 'generated');
    RETURN NULL;
END $$;

CREATE TRIGGER former_add AFTER INSERT ON pool_key FOR EACH ROW
WHEN (current_query() LIKE 'INSERT INTO pool_key (key_spec, wrapping_key_id, %')
EXECUTE FUNCTION count_former_add();

-- At the end of the statement, when the claimed row is there. One that is not was dropped, not claimed.
CREATE FUNCTION count_former_claim() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE claimant text;
BEGIN
    UPDATE claimed_key SET wrapping_key_id = OLD.wrapping_key_id
    WHERE id = OLD.id AND wrapping_key_id IS NULL RETURNING instance INTO claimant;
    IF FOUND THEN
        PERFORM count_key(claimant, OLD.key_spec, OLD.wrapping_key_id, 'claimed');
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER former_claim AFTER DELETE ON pool_key FOR EACH ROW
WHEN (current_query() LIKE '%INTO claimed_key (id, key_spec, instance) SELECT%')
EXECUTE FUNCTION count_former_claim();

CREATE FUNCTION count_former_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM count_key(OLD.instance, OLD.key_spec, OLD.wrapping_key_id, TG_ARGV[0]);
    RETURN NULL;
END $$;

CREATE TRIGGER former_put_back AFTER DELETE ON claimed_key FOR EACH ROW
WHEN (current_query() LIKE 'WITH released AS (%RETURNING id)%')
EXECUTE FUNCTION count_former_end('put-back');

-- Keys that were discarded, too: one statement did both.
CREATE TRIGGER former_settle AFTER DELETE ON claimed_key FOR EACH ROW
WHEN (current_query() LIKE 'DELETE FROM claimed_key WHERE instance = % AND id = ANY%')
EXECUTE FUNCTION count_former_end('used');

CREATE TRIGGER former_forfeit AFTER DELETE ON claimed_key FOR EACH ROW
WHEN (current_query() LIKE 'DELETE FROM claimed_key WHERE instance = %'
    AND current_query() NOT LIKE '% AND id = ANY%')
EXECUTE FUNCTION count_former_end('forfeited');
