-- What the version before V6 needed while it ran beside its successor: nobody counts for it any more.
LOCK TABLE pool_key, claimed_key IN ACCESS EXCLUSIVE MODE;

DROP TRIGGER former_add ON pool_key;
DROP TRIGGER former_claim ON pool_key;
DROP TRIGGER former_put_back ON claimed_key;
DROP TRIGGER former_settle ON claimed_key;
DROP TRIGGER former_forfeit ON claimed_key;
DROP FUNCTION count_former_add(), count_former_claim(), count_former_end(),
    count_key(text, text, text, text);

-- Nearly all claimed keys are one instance's: to find some of them by their ids, the planner read the
-- entries of all, with those of rows that were gone, in each transaction of the record writer. Who
-- settles what a run has left reads the table, which is short.
DROP INDEX claimed_key_instance;

-- Rows pass through these two and leave dead ones behind at their beginning, where claims look. They
-- are cleaned after so many, however long the table is; and what is at their end stays the table's: to
-- give it back to the disk, everybody would have to wait.
ALTER TABLE pool_key SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);
ALTER TABLE claimed_key SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);

-- Each request leaves a dead row: a fifth of a table of years would be too many to be cleaned at once.
ALTER TABLE sign_request SET (
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
    autovacuum_analyze_scale_factor = 0.01);
