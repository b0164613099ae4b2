-- On PostgreSQL, the tables that `tokens` has replaced in version 14, as views, so that programs of versions 12 and 13 can go on
-- writing while servers are upgraded one by one. A view that shows only rows of one purpose has that as the default of its last column.
-- An offer is found by its lookup, the id of its project, because those programs replace it by that key. The version that ends those
-- programs drops the views.

CREATE VIEW one_time_links AS
  SELECT lookup, purpose, account_id, expires_at, email FROM tokens
  WHERE purpose IN ('first-account', 'password', 'sign-in', 'email', 'sign-up');

CREATE VIEW challenges AS
  SELECT lookup, purpose AS kind, account_id, data, expires_at FROM tokens WHERE data IS NOT NULL;

CREATE VIEW recovery_codes AS
  SELECT lookup, account_id, purpose FROM tokens WHERE purpose = 'recovery-code';
ALTER VIEW recovery_codes ALTER COLUMN purpose SET DEFAULT 'recovery-code';

CREATE VIEW invitations AS
  SELECT lookup, project_id, email, role, made_by AS invited_by, created_at, expires_at, purpose FROM tokens
  WHERE purpose = 'invitation';
ALTER VIEW invitations ALTER COLUMN purpose SET DEFAULT 'invitation';

CREATE VIEW ownership_offers AS
  SELECT lookup AS project_id, made_by AS from_id, account_id AS to_id, created_at, expires_at, purpose FROM tokens
  WHERE purpose = 'ownership-offer';
ALTER VIEW ownership_offers ALTER COLUMN purpose SET DEFAULT 'ownership-offer';
