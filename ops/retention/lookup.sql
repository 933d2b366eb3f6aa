\set n random(1, :rows)
SELECT s.*, c.certificates, l.key_gone FROM sign_request s
LEFT JOIN ca_chain c ON c.id = s.ca_chain_id
LEFT JOIN late_destruction l ON l.request_id = s.request_id
WHERE s.request_id = md5((:n)::text)::uuid AND s.request_received =
  (SELECT k.request_received FROM known_request k WHERE k.request_id = md5((:n)::text)::uuid);
