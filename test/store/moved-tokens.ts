/** Rows of five tables that version 14 has joined, and the resulting rows. For databases of earlier versions. */

export const TOKENS_SINCE = 14

/** Accounts and a project, and a row of each table. */
export const ROWS_BEFORE = `
  INSERT INTO projects (id, name, badge_key, ping_log_limit, created_at, slug) VALUES ('p', 'Books', 'b', 100, 0, 'books');
  INSERT INTO accounts (id, email, is_administrator, tz, theme, has_shortcuts, created_at) VALUES
    ('ann', 'ann@example.org', 0, 'UTC', 'system', 1, 0), ('bob', 'bob@example.org', 0, 'UTC', 'system', 1, 0);
  INSERT INTO one_time_links (lookup, purpose, account_id, expires_at, email) VALUES
    ('link', 'password', 'ann', 5, NULL), ('to sign up', 'sign-up', NULL, 6, 'new@example.org');
  INSERT INTO challenges (lookup, kind, account_id, data, expires_at) VALUES
    ('begun', 'oidc', NULL, '{"nonce":"n"}', 7), ('second', 'second-factor', 'ann', '{}', 8);
  INSERT INTO recovery_codes (lookup, account_id) VALUES ('code', 'ann'), ('other code', 'ann');
  INSERT INTO invitations (lookup, project_id, email, role, invited_by, created_at, expires_at) VALUES
    ('invitation', 'p', 'cid@example.org', 'manager', 'ann', 1, 9), ('by a command', 'p', NULL, 'owner', NULL, 2, 10);
  INSERT INTO ownership_offers (project_id, from_id, to_id, created_at, expires_at) VALUES ('p', 'ann', 'bob', 3, 11)`

export const TOKENS = 'SELECT * FROM tokens ORDER BY lookup'

const NONE = {
  account_id: null,
  project_id: null,
  made_by: null,
  email: null,
  role: null,
  data: null,
  created_at: null,
  expires_at: null,
}
const invited = { ...NONE, purpose: 'invitation', project_id: 'p' }

/** Rows that {@link TOKENS} finds after the migration. */
export const TOKENS_AFTER = [
  { ...NONE, lookup: 'begun', purpose: 'oidc', data: '{"nonce":"n"}', expires_at: 7 },
  { ...invited, lookup: 'by a command', role: 'owner', created_at: 2, expires_at: 10 },
  { ...NONE, lookup: 'code', purpose: 'recovery-code', account_id: 'ann' },
  {
    ...invited,
    lookup: 'invitation',
    made_by: 'ann',
    email: 'cid@example.org',
    role: 'manager',
    created_at: 1,
    expires_at: 9,
  },
  { ...NONE, lookup: 'link', purpose: 'password', account_id: 'ann', expires_at: 5 },
  { ...NONE, lookup: 'other code', purpose: 'recovery-code', account_id: 'ann' },
  {
    ...NONE,
    lookup: 'p',
    purpose: 'ownership-offer',
    account_id: 'bob',
    project_id: 'p',
    made_by: 'ann',
    created_at: 3,
    expires_at: 11,
  },
  { ...NONE, lookup: 'second', purpose: 'second-factor', account_id: 'ann', data: '{}', expires_at: 8 },
  { ...NONE, lookup: 'to sign up', purpose: 'sign-up', email: 'new@example.org', expires_at: 6 },
]
