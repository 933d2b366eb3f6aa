-- Which claim a key was taken by. A claim whose commit was not answered can then be undone: exactly
-- its keys go back. The version before leaves it null.
ALTER TABLE claimed_key ADD COLUMN claim uuid;
