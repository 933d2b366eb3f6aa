-- To locate an object by its name is to look a number up among the objects of its owner, however many others use the
-- same name. PostgreSQL's hashes of the server's own partitions are these.
CREATE FUNCTION owned_terms(owner text, terms bigint[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT array_agg(hashint8extended(term, hashtextextended(owner, 0))) FROM unnest(terms) AS term
$$;

DROP INDEX managed_object_search;
CREATE INDEX managed_object_search ON managed_object
    USING gin (owned_terms(owner, search)) WITH (fastupdate = off);
