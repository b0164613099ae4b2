import { describe, expect, test } from 'bun:test'
import { hintOf } from '../../src/cli/hints.ts'
import { Refusal, type RefusalFacts } from '../../src/domain/errors.ts'
import { everyRefusal } from '../support/refusals.ts'

test('every code has a complete hint, or none', () => {
  for (const [code, refusal] of everyRefusal()) {
    const hint = hintOf(refusal)
    if (hint === null) continue
    expect([code, hint]).toEqual([code, expect.stringMatching(/^\S.*\S$/)])
    expect([code, hint]).not.toEqual([code, expect.stringMatching(/undefined|null|\[object/)])
  }
})

/** @param facts replace those of the sample */
function hintWith(code: string, facts: Partial<RefusalFacts> = {}): string | null {
  const sample = everyRefusal().find(([name]) => name === code)?.[1]
  if (!sample) throw new Error(`there is no code ${code}`)
  const given = [code, '', { ...sample.data, ...facts }] as unknown as ConstructorParameters<typeof Refusal>
  return hintOf(new Refusal(...given))
}

describe('a hint says what to do about', () => {
  const CASES: readonly (readonly [code: string, facts: Partial<RefusalFacts>, hint: string | null])[] = [
    ['usage', {}, 'do this'],
    ['unknown-choice', {}, 'use one of: up, down'],
    ['out-of-range', {}, 'use a whole number from 1 to 9'],
    ['project-not-found', { meant: undefined }, 'see `overdue project list`'],
    ['project-not-found', {}, 'did you mean "ops"? Otherwise see `overdue project list`'],
    ['unavailable', {}, 'the disk is full'],
    ['channel-kind-off', { setting: 'SHELL_ENABLED=True' }, 'set SHELL_ENABLED=True'],
    ['channel-settings-invalid', {}, 'a webhook needs a URL; see docs/channels.md for the fields of each kind'],
    ['channel-settings-invalid', { needs: null }, 'see docs/channels.md for the fields of each kind'],
    ['channel-unconfirmed', {}, 'nobody took it'],
    ['channel-unconfirmed', { mailError: null }, 'another confirmation email was sent'],
    ['channel-unsubscribed', {}, 'give the channel another address, or create a new channel'],
    ['channel-not-notified', {}, 'try --status up'],
    ['channel-unusable', { setting: null }, null],
    ['delivery-not-failed', {}, '`overdue delivery list --project "Default"` shows under NEXT when it is sent'],
    ['delivery-not-failed', { state: 'sent' }, 'only failed deliveries can be retried'],
    ['delivery-ambiguous', {}, 'use the whole id, which `overdue delivery list` prints with --json'],
    ['secret-mismatch', { setting: 'SECRET_KEY' }, 'unset SECRET_KEY: this database keeps its own secret'],
    ['secret-mismatch', { setting: 'SECRET_KEY', keepsSecret: false }, 'set SECRET_KEY to its previous value'],
    ['cannot-listen', {}, 'set PORT to a free port, or stop the program that listens on this one'],
    ['cannot-listen', { isForbidden: true }, 'set PORT to 1024 or higher: ports below 1024 need extra privileges'],
    [
      'cannot-listen',
      { setting: 'SMTPD_PORT', isForbidden: true },
      'set SMTPD_PORT to 1024 or higher: ports below 1024 need extra privileges',
    ],
    [
      'cannot-listen',
      { setting: 'HOST', host: '192.0.2.1' },
      'HOST=192.0.2.1 is not an address of this machine: set HOST to one that is, such as 127.0.0.1, or to 0.0.0.0 for all',
    ],
    ['database-lost', {}, 'process 42 has the files open: before you stop it, read the output of `overdue health`'],
    [
      'database-lost',
      { pid: null },
      'put the database back beside its log, or restore a backup; to start with an empty database, move the log away',
    ],
    ['database-foreign', { setting: null }, 'check that this is the right file'],
    [
      'database-in-use',
      {},
      'save the deleted file first, as `overdue health` explains; then stop the server and every other program that has the database open',
    ],
    ['database-in-use', { isGone: false }, 'stop the server and every other program that has the database open'],
    ['path-is-folder', { path: '/data', setting: null }, 'use the name of a file, such as /data/overdue.db'],
    [
      'path-is-folder',
      { path: '/data', setting: 'DATABASE_URL' },
      'set DATABASE_URL to a file: sqlite:/data/overdue.db',
    ],
    [
      'database-copied',
      {},
      'set DATABASE_URL to postgres://overdue@db/overdue; or, to use this database again without the changes that were made to the copy, run `overdue copy --reopen --from sqlite:/data/o.db`; add the password to the URL of PostgreSQL',
    ],
    [
      'database-copied',
      { from: 'postgres://overdue@/o?host=/run', isComplete: false },
      "run `overdue copy` again to resume; or, to abandon that copy, run `overdue copy --reopen --from 'postgres://overdue@/o?host=/run'`; add the password to the URL of PostgreSQL",
    ],
    [
      'database-incomplete',
      {},
      'run `overdue copy --from sqlite:/data/o.db --to postgres://overdue@db/overdue` again to resume; or remove this database; add the password to the URL of PostgreSQL',
    ],
    ['backup-has-log', {}, 'a program uses or used /data/o.db: use another name, or remove both files'],
  ]
  test.each(CASES)('%s with %j', (code, facts, hint) => {
    expect(hintWith(code, facts)).toBe(hint)
  })

  test('a log of another file, with the command that moves it away', () => {
    expect(hintWith('log-foreign')).toStartWith(
      'to use /data/o.db as it is, move the log away: mv /data/o.db-wal /data/o.db-wal.kept;',
    )
  })
})
