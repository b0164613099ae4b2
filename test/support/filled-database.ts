/** A database with rows of every kind, for tests that copy it. */
import type { Database, Sql, Value } from '../../src/store/sql/database.ts'
import { UNTIMED } from '../../src/store/sql/steps.ts'
import { createStore } from '../../src/store/sql-store/sql-store.ts'
import { aPart } from './imports.ts'
import {
  aChannel,
  aCheck,
  aMember,
  anAccount,
  anAuthor,
  aSession,
  bytes,
  type StoreFixture,
  storeFixture,
} from './store-builders.ts'

/** Each byte, and some that text formats treat specially. */
const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, index) => index)
const LONG_BODY_BYTES = 3_000_000
const ODD_TEXT = 'tab\t line\n back\\slash \\N \'quote\' "double" é 漢字 😀 {a,b} NULL'

export interface Filled {
  readonly ids: { readonly pinged: string; readonly cleared: string; readonly deleted: string; readonly staged: string }
}

/** @param database empty */
export async function fillDatabase(database: Database): Promise<Filled> {
  const store = createStore(database, UNTIMED)
  const g = await storeFixture(async () => ({ store, another: null, close: async () => {} }), { name: ODD_TEXT })
  const account = anAccount({ email: 'jane@example.org', passwordHash: '$argon2id$x' })
  await store.by(anAuthor()).accounts.create(account)
  await store.by(anAuthor()).team.setMember(aMember(account, g.project, 'owner'))
  await store.by(anAuthor()).sessions.create(aSession(account), account.passwordHash)
  const channel = await g.channel({ name: ODD_TEXT })
  const pinged = await g.check({ name: 'pinged', desc: ODD_TEXT }, [channel])
  const cleared = await g.check({ name: 'cleared' }, [channel])
  const deleted = await g.check({ name: 'deleted' }, [channel])
  const staged = aCheck(g.project)
  // Their entries are mixed, and of one check some are in a log that was cleared.
  for (const round of [1, 2, 3]) {
    await pingAll(g, [pinged, cleared, deleted], round)
    await store.imports.stageLogs(
      [aPart(staged, g.project, [round], [round], { n: round - 1, eventN: round - 1 })],
      g.clock.now(),
    )
    if (round === 2) await store.by(anAuthor()).checks.clear(cleared.id)
  }
  await g.ping(pinged, { action: 'fail', body: EVERY_BYTE, ua: ODD_TEXT, rid: crypto.randomUUID() })
  await g.ping(pinged, { body: new Uint8Array(LONG_BODY_BYTES).fill(7), exitStatus: 0, remoteAddr: null })
  await store.by(anAuthor()).checks.delete(deleted.id)
  await store.server.recordAlive(g.clock.now())
  await database.write((sql) => insertOthers(sql, g, account.id, aChannel(g.project).id))
  return { ids: { pinged: pinged.id, cleared: cleared.id, deleted: deleted.id, staged: staged.id } }
}

async function pingAll(g: StoreFixture, checks: readonly { readonly id: string }[], round: number): Promise<void> {
  for (const check of checks) {
    await g.ping(check, { action: 'start' })
    g.clock.advance({ seconds: round })
    await g.ping(check, { action: round === 2 ? 'fail' : 'success', body: bytes(`round ${round}`) })
  }
}

/** Inserts rows that the program would take long to create. */
async function insertOthers(sql: Sql, g: StoreFixture, accountId: string, reportId: string): Promise<void> {
  const insert = (table: string, values: readonly Value[]) =>
    sql.run(`INSERT INTO ${table} VALUES (${values.map((_, index) => `$${index + 1}`).join(', ')})`, values)
  const [check] = await sql.all<{ id: string }>('SELECT id FROM checks ORDER BY created_at', [])
  const projectId = g.project.id
  await insert('tokens', ['link', 'email', accountId, null, null, 'new@example.org', null, null, null, 1])
  await insert('tokens', ['challenge', 'second-factor', accountId, null, null, null, null, '{}', null, 2])
  await insert('tokens', ['code', 'recovery-code', accountId, null, null, null, null, null, null, null])
  await insert('tokens', ['invitation', 'invitation', null, projectId, accountId, null, 'member', null, 7, 8])
  await insert('tokens', [projectId, 'ownership-offer', accountId, projectId, accountId, null, null, null, 9, 10])
  await insert('passkeys', ['credential', accountId, ODD_TEXT, 'key', 3, '["usb"]', 4, null])
  await insert('morning_mails', [accountId, 7, 1, 8, ODD_TEXT])
  await insert('identities', ['https://id.example.org', 'subject', accountId, 5, 6])
  const silence = [
    'silence',
    projectId,
    '[]',
    '["a"]',
    1,
    2,
    0,
    'down',
    ODD_TEXT,
    3,
    'person',
    accountId,
    'jane@example.org',
    'Sat 22:00',
    ODD_TEXT,
    7_200,
  ]
  await insert('silences', silence)
  await sql.run('UPDATE incidents SET acked_at = 5, acked_by_kind = $1, acked_by_name = $2, acked_note = $2', [
    'key',
    ODD_TEXT,
  ])
  await insert('overgrown_projects', [g.project.id, -1])
  await insert('long_bodies', ['body', check?.id ?? '', 7, 3, 8])
  await insert('body_pieces', ['body', 0, Uint8Array.of(1, 2, 255)])
  await insert('refused_signals', [check?.id ?? '', 2, '/3221225477', 0])
  await sql.run('UPDATE advice SET data = $1, kind = $2, put_off = $1, since = 9', [ODD_TEXT, 'zone'])
  await insert('check_days', [check?.id ?? '', '2026-05-12', 2, 1, 3, 4, 5, null, Uint8Array.of(1, 255)])
  await insert('unread_checks', [check?.id ?? ''])
  await insert('ping_key_uses', [g.pingKey, check?.id ?? '', 7])
  const columns = ['id', 'project_id', 'name', 'kind', 'settings', 'created_at', 'host', 'awaits_confirmation']
  await sql.run(`INSERT INTO channels (${columns.join(', ')}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, [
    reportId,
    g.project.id,
    'reports',
    'email',
    '{}',
    1,
    '',
    0,
  ])
  await sql.run('UPDATE channels SET quiet_schedule = $1, quiet_tz = $2, quiet_seconds = 60, quiet_up_to = $3', [
    '0 22 * * *',
    ODD_TEXT,
    'down',
  ])
  await sql.run('UPDATE deliveries SET held_until = 7', [])
  await insert('mailings', [reportId, 'report', g.project.id, 3600, 5, 0, null, ODD_TEXT])
  const [delivery] = await sql.all<{ id: string }>('SELECT id FROM deliveries', [])
  await insert('attempts', [delivery?.id ?? '', 1, 3, 4, ODD_TEXT, null])
  await insert('status_pages', [g.project.id, 'books', 1, 0, ODD_TEXT, '', 'UTC', '[]', 6])
  await insert('imported_secrets', [g.project.id, ODD_TEXT])
  await insert('imported_badges', [g.project.id, 'tag', 'signature'])
  await sql.run("INSERT INTO settings (name, value) VALUES ('secret', 'kept')", [])
}
