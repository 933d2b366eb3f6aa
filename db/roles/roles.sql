-- The three roles, and what belongs to the owner. For a superuser; the owner may repeat it once the
-- roles exist. Roles are created without a password: no one can log in with one before it is set.
SELECT pg_advisory_xact_lock(hashtext('keywell.roles'));
DO $roles$
DECLARE
    role name;
    relation regclass;
    routine regprocedure;
BEGIN
    FOREACH role IN ARRAY ARRAY['${owner}', '${service}', '${reports}'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', role);
        END IF;
        IF NOT has_schema_privilege(role, current_schema(), 'USAGE') THEN
            EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), role);
        END IF;
    END LOOP;

    -- The database's owner may create in its schema "public", whatever is revoked.
    IF (SELECT pg_get_userbyid(datdba) = '${service}' FROM pg_database
        WHERE datname = current_database()) THEN
        EXECUTE format('ALTER DATABASE %I OWNER TO %I', current_database(), '${owner}');
    END IF;
    IF has_schema_privilege('${service}', current_schema(), 'CREATE') THEN
        EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC, %I, %I',
            current_schema(), '${service}', '${reports}');
    END IF;
    IF NOT has_schema_privilege('${owner}', current_schema(), 'CREATE') THEN
        EXECUTE format('GRANT USAGE, CREATE ON SCHEMA %I TO %I', current_schema(), '${owner}');
    END IF;

    -- Sequences follow the tables whose columns they serve.
    FOR relation IN
        SELECT c.oid FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v')
            AND pg_get_userbyid(c.relowner) <> '${owner}'
            AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    LOOP
        EXECUTE format('ALTER TABLE %s OWNER TO %I', relation, '${owner}');
    END LOOP;
    FOR routine IN
        SELECT p.oid FROM pg_proc p
        WHERE p.pronamespace = current_schema()::regnamespace
            AND pg_get_userbyid(p.proowner) <> '${owner}'
            AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    LOOP
        EXECUTE format('ALTER ROUTINE %s OWNER TO %I', routine, '${owner}');
    END LOOP;
END $roles$;
