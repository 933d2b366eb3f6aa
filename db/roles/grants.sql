-- What each role may do with each table: exactly this. For the owner of the tables, after each
-- migration. What an earlier schema lacks is left out.
SELECT pg_advisory_xact_lock(hashtext('keywell.roles'));
DO $grants$
DECLARE
    entry record;
BEGIN
    FOR entry IN SELECT * FROM (VALUES
        -- table, ${service}, ${reports}

        -- Nothing updates a key. Locking a row requires the right to update some column: this one
        -- says least. No one reads a private key for a report, wrapped as it is.
        ('pool_key', 'SELECT, INSERT, DELETE, UPDATE (created_at)',
            'SELECT (id, key_spec, wrapping_key_id, wrap_mechanism, created_at)'),
        ('pool_mark', 'SELECT, INSERT, UPDATE (place)', 'SELECT'),
        ('token_run', 'SELECT, INSERT, DELETE, UPDATE (run, previous, writes)', 'SELECT'),
        ('claimed_key', 'SELECT, INSERT, DELETE', 'SELECT'),
        ('key_ledger', 'SELECT, INSERT, DELETE, UPDATE (keys)', 'SELECT'),
        ('key_reservation', 'SELECT, INSERT, DELETE, UPDATE (keys)', 'SELECT'),
        ('key_report', 'SELECT, INSERT, DELETE,
            UPDATE (wrapping_key_id, expected, found, reported_at)', 'SELECT'),
        ('token_use', 'SELECT, INSERT, DELETE, UPDATE (busy_at)', ''),

        -- A record stays, with who asked, when, and the fingerprint of what was asked.
        ('sign_request', 'SELECT, INSERT,
            UPDATE (status, failure, failure_detail, digest, digests, signature, signatures,
                signed_attributes, certificate, certificate_serial, ca_chain_id, key_id,
                wrapping_key_id, public_key_sha256, pre_generated, withheld_key_id,
                destruction_return_value, request_start_to_process, request_got_key_pair, signed,
                certified, key_destroyed, request_finished, waiting_time_micros,
                process_time_micros, act_opened, act_expires, act_sign_received, signer_salt)', 'SELECT'),
        -- Only the owner, who archives records, makes ids unknown.
        ('known_request', 'SELECT, INSERT', 'SELECT'),
        -- Nobody forgets a key.
        ('used_key', 'SELECT, INSERT', 'SELECT'),
        ('late_destruction', 'SELECT, INSERT', 'SELECT'),
        ('record_correction', 'SELECT, INSERT', 'SELECT'),
        -- The probe of the database locks a row. Records refer to the id, so it cannot change.
        ('ca_chain', 'SELECT, INSERT, UPDATE (id)', 'SELECT'),
        -- Those that are deleted are locked first.
        ('used_proof', 'SELECT, INSERT, DELETE, UPDATE (request_id)', ''),
        ('seen_message', 'SELECT, INSERT, DELETE, UPDATE (delivery)', ''),
        ('message_attempt', 'SELECT, INSERT, DELETE, UPDATE (instance, cut_off, since)', ''),
        ('caller_quota', 'SELECT, INSERT, DELETE, UPDATE (reserved)', 'SELECT'),

        -- Destruction empties an object and keeps its row. No report reads what is wrapped.
        ('managed_object', 'SELECT, INSERT,
            UPDATE (state, material, attributes, search, changed_at)',
            'SELECT (id, number, owner, object_type, state, wrapping_key_id, initial_date,
                changed_at)'),

        ('wrapping_key_rotation', 'SELECT, INSERT, UPDATE (new_id, step, changed_at)', 'SELECT'),
        ('wrapping_key_use', 'SELECT, INSERT, DELETE, UPDATE (used_as)', 'SELECT'),

        -- A key's row outlives it, so that its name stays taken.
        ('xks_key', 'SELECT, INSERT, UPDATE (can_encrypt, can_decrypt, state, changed_at)',
            'SELECT (name, can_encrypt, can_decrypt, state, created_at, changed_at)'),
        ('xks_key_intent', 'SELECT, INSERT, DELETE', 'SELECT (name, noted_at)'),
        -- The owner alone reads and erases who was behind a use.
        ('xks_use', 'INSERT', ''),

        -- No revocation is taken back. Lists retire.
        ('revoked_certificate', 'SELECT, INSERT', 'SELECT'),
        ('published_list', 'SELECT, INSERT, DELETE,
            UPDATE (addresses, retires, revocations, number, this_update, next_update, crl)',
            'SELECT (issuer, name, addresses, retires, revocations, number, this_update,
                next_update)'),

        -- What is in the log stays; what waits for it is moved there.
        ('log_pending', 'SELECT, INSERT, DELETE', ''),
        ('log_entry', 'SELECT, INSERT', 'SELECT'),
        ('log_node', 'SELECT, INSERT', 'SELECT'),
        ('log_key', 'SELECT, INSERT', 'SELECT'),
        -- Not the origin.
        ('log_tree', 'SELECT, INSERT, UPDATE (size, root, checkpoint_size, checkpoint)', 'SELECT'),
        ('log_cosigned', 'SELECT, INSERT, UPDATE (size, checkpoint)', 'SELECT'),
        ('log_witness', 'SELECT, INSERT, UPDATE (size, cosigned)', 'SELECT'),
        ('log_witnessed', 'SELECT, INSERT, UPDATE (size, root, cosigned)', 'SELECT'),
        ('log_witness_round', 'SELECT, INSERT, UPDATE (begun)', ''),

        ('thesis_sign_request', '', 'SELECT'),
        ('unused_certificate', '', 'SELECT'),
        ('flyway_schema_history', 'SELECT', '')
    ) AS list (relation, service, reports)
    LOOP
        CONTINUE WHEN to_regclass(entry.relation) IS NULL;
        BEGIN
            EXECUTE format('REVOKE ALL ON %I FROM %I', entry.relation, '${service}');
            IF entry.service <> '' THEN
                EXECUTE format('GRANT %s ON %I TO %I', entry.service, entry.relation, '${service}');
            END IF;
            CONTINUE WHEN NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${reports}');
            EXECUTE format('REVOKE ALL ON %I FROM %I', entry.relation, '${reports}');
            IF entry.reports <> '' THEN
                EXECUTE format('GRANT %s ON %I TO %I', entry.reports, entry.relation, '${reports}');
            END IF;
        EXCEPTION WHEN undefined_column THEN
            RAISE NOTICE '% is to be migrated first: %', entry.relation, SQLERRM;
        END;
    END LOOP;
    IF to_regprocedure('advance_places(bigint)') IS NOT NULL THEN
        EXECUTE format('GRANT EXECUTE ON FUNCTION advance_places(bigint) TO %I', '${service}');
    END IF;
END $grants$;
