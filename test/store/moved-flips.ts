/** Flips that version 14 has turned into events, with rows that refer to them. For databases of earlier versions. */

export const EVENTS_SINCE = 14

/** A check with flips, one of them with a delivery that failed at its only attempt, and a change that can be undone. */
export const FLIPS_BEFORE = `
  INSERT INTO projects (id, name, badge_key, ping_log_limit, created_at, slug) VALUES ('p', 'Books', 'b', 100, 0, 'books');
  INSERT INTO accounts (id, email, is_administrator, tz, theme, has_shortcuts, created_at)
    VALUES ('ann', 'ann@example.org', 0, 'UTC', 'system', 1, 0);
  INSERT INTO checks (id, project_id, status, n_flips, kind, timeout_seconds, grace_seconds, schedule, tz, manual_resume, methods,
    filter_subject, filter_body, filter_http_body, filter_default_fail, start_kw, success_kw, failure_kw, badge_key, unique_key,
    created_at, slug, name, tags, counter_id, "desc")
    VALUES ('c', 'p', 'down', 2, 'simple', 60, 60, '', 'UTC', 0, '', 0, 0, 0, 0, '', '', '', 'b', 'u', 0, '', '', '', 1, '');
  INSERT INTO flips (check_id, n, created_at, old_status, new_status, reason)
    VALUES ('c', 1, 10, 'new', 'up', ''), ('c', 2, 20, 'up', 'down', 'timeout');
  INSERT INTO channels (id, project_id, name, kind, settings, created_at) VALUES ('h', 'p', 'Hook', 'webhook', '{}', 0);
  INSERT INTO deliveries (id, check_id, flip_n, channel_id, state, attempts, created_at, next_attempt_at, ended_at, error)
    VALUES ('d', 'c', 2, 'h', 'failed', 1, 20, NULL, 21, 'no');
  INSERT INTO attempts (delivery_id, n, created_at, duration, error, answer) VALUES ('d', 1, 20, 1, 'no', '{}');
  INSERT INTO cleared_checks (check_id, n_pings, n_flips) VALUES ('c', 0, 0);
  INSERT INTO staged_logs (check_id, project_id, n_pings, n_flips, entries, bytes, staged_at) VALUES ('s', 'p', 0, 3, 0, 0, 0);
  INSERT INTO undos (lookup, account_id, project_id, created_at, steps) VALUES ('l', 'ann', 'p', 0, '[]')`

const EVENT = { check_id: 'c', kind: 'flip', detail: null }

/** Rows that statements find after the migration. */
export const EVENTS_AFTER: readonly (readonly [statement: string, rows: readonly Record<string, unknown>[]])[] = [
  [
    'SELECT * FROM events ORDER BY n',
    [
      { ...EVENT, n: 1, created_at: 10, old_status: 'new', new_status: 'up', reason: '' },
      { ...EVENT, n: 2, created_at: 20, old_status: 'up', new_status: 'down', reason: 'timeout' },
    ],
  ],
  [
    'SELECT check_id, n, severity, opened_at, resolved_at, last_n, told, told_at, next_look_at, revision FROM incidents',
    [
      {
        ...{
          check_id: 'c',
          n: 2,
          severity: 'down',
          opened_at: 20,
          resolved_at: null,
          last_n: 2,
          told: 'down',
          told_at: 20,
        },
        ...{ next_look_at: null, revision: 0 },
      },
    ],
  ],
  ['SELECT n_events FROM checks', [{ n_events: 2 }]],
  [
    'SELECT id, event_n, state, attempts, created_at, ended_at, error FROM deliveries',
    [{ id: 'd', event_n: 2, state: 'failed', attempts: 1, created_at: 20, ended_at: 21, error: 'no' }],
  ],
  ['SELECT * FROM attempts', [{ delivery_id: 'd', n: 1, created_at: 20, duration: 1, error: 'no', answer: '{}' }]],
  ['SELECT n_events FROM cleared_checks', [{ n_events: 0 }]],
  ['SELECT n_events FROM staged_logs', [{ n_events: 3 }]],
  ['SELECT * FROM undos', []],
]
