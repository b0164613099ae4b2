/**
 * Records the statements that this program sends to PostgreSQL while it works, for tests of a later version beside it. Run it before the
 * version of the schema changes: `TEST_ENGINE=postgres bun test/support/postgres/record-program.ts`
 */
import { join } from 'node:path'
import { createHeartbeat } from '../../../src/services/server/outage.ts'
import { Session } from '../../../src/store/engine/postgres/connection/session.ts'
import { parameterOf } from '../../../src/store/engine/postgres/values.ts'
import { SCHEMA_VERSION } from '../../../src/store/sql/migrations.ts'
import { courierFixture } from '../../services/courier/courier-fixture.ts'
import { briefDatabase } from '../databases.ts'
import { testApp } from '../test-app.ts'
import type { Recording, Sent, Statement, Written } from './recorded-program.ts'

const statements: Statement[] = []
/** statements by transaction, in the order of their first statements */
const sessions = new Map<Session, Sent[]>()
const query = Session.prototype.query
Session.prototype.query = async function (text, values) {
  const known = statements.findIndex((statement) => statement.text === text)
  const statement = known < 0 ? statements.push({ text, columns: [] }) - 1 : known
  const sent: Sent = [statement, ...values.map(parameterOf).map(writable)]
  sessions.set(this, [...(sessions.get(this) ?? []), sent])
  const rows = await query.call(this, text, values)
  if (known < 0) statements[statement] = { text, columns: (rows.columns ?? []).map(({ name }) => name) }
  return rows
}

/** @returns statements since the last call */
function taken(): Sent[] {
  const all = [...sessions.values()].flat()
  sessions.clear()
  return all
}

function writable(value: unknown): Written {
  if (value instanceof Uint8Array) return { hex: value.toHex() }
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`${typeof value} cannot be recorded`)
}

const file = join(import.meta.dir, '../../store/engine/postgres/vectors', `program-${SCHEMA_VERSION}.json`)
// The first database is the model of the others, and its creation is no work of the program.
await (await briefDatabase()).remove()
taken()
statements.length = 0

const t = await testApp()
const { deps } = t.app
const d = courierFixture(t)
const read = async (path: string) => void (await t.call('GET', path, { key: t.keys.apiKey }))
await createHeartbeat(deps)()
await d.addChannel()
const down = await d.addCheck('*', 'goes down')
const up = await d.addCheck('*', 'stays up')
const setUp = taken()

for (const action of ['', '/start', '', '/log']) await d.ping(down, action)
await t.call('POST', `/ping/${up}/fail`, { body: 'what it printed' })
await d.ping(up)
await d.deliver()
for (const path of ['', down, `${down}/pings/`, `${down}/flips/`]) await read(`/api/v3/checks/${path}`)
await read('/api/v3/channels/')
await read('/readyz')
const work = taken()

// That was an outage, after which the checks get 15 minutes more.
t.clock.advance({ hours: 25, minutes: 1 })
await createHeartbeat(deps)()
const deadline = t.clock.advance({ minutes: 16 })
await t.app.settle('overdue')
const judge = taken()

const { carrier } = d.slowly()
await carrier.deliverDue()
const claim = taken()

for (const job of ['retention', 'search', 'mailings'] as const) await t.app.settle(job)
const upkeep = taken()

const recording: Recording = {
  checks: { down, up },
  deadline: deadline.toString(),
  statements,
  stages: { setUp, work, judge, claim, upkeep },
}
await Bun.write(file, `${JSON.stringify(recording)}\n`)
process.stdout.write(`${statements.length} statements are in ${file}\n`)
process.exit(0)
