-- What instances have reserved of each caller's quota of a day, in blocks ahead of the requests that
-- use it: an instance admits no more than it has reserved, so that all together admit no more than
-- the quota. Rows of days that are over are deleted.
CREATE TABLE caller_quota (
    caller   text   NOT NULL,
    day      date   NOT NULL,
    reserved bigint NOT NULL CHECK (reserved >= 0),
    PRIMARY KEY (caller, day)
);

COMMENT ON COLUMN caller_quota.day IS 'In UTC';
COMMENT ON COLUMN caller_quota.reserved IS
    'Requests that instances may admit, those that they have admitted included';
