/**
 * A program that commits batches of pings to checks through a store of its own, several at once. Arguments: DATABASE_URL, number of
 * batches, seed, ids of the checks. It prints the number of acknowledged pings, the number of batches that were refused because the
 * database was too busy, and errors. A refused batch is tried again, as a client would do.
 */
import { argv, stdout } from 'node:process'
import { databaseAddress } from '../../../src/config/database-address.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { rules as rulesOf } from '../../../src/services/common/rules.ts'
import { openPostgres } from '../../../src/store/engine/postgres/postgres.ts'
import { UNTIMED } from '../../../src/store/sql/steps.ts'
import { createStore } from '../../../src/store/sql-store/sql-store.ts'
import type { Arrival } from '../../../src/store/store.ts'
import { registry } from '../../../src/transports/index.ts'
import { SeededRandom } from '../../../test/support/seeded-random.ts'
import { aSignal, testRandom } from '../../../test/support/store-builders.ts'

export interface Written {
  readonly acknowledged: number
  readonly refused: number
  readonly errors: readonly string[]
}

const AT_ONCE = 4
/** Error of a batch of which nothing was written. */
const BUSY = 'too many requests wait for the database'
const LARGEST_BATCH = 5
const ACTIONS = ['success', 'success', 'success', 'start', 'log', 'fail'] as const

const [, , databaseUrl = '', batches = '', seed = '', ...checks] = argv
const address = databaseAddress(databaseUrl)
if (address.engine !== 'postgres') throw new Error('the database must be a PostgreSQL')
const now = () => Temporal.Now.instant()
const store = createStore(await openPostgres({ address, connections: 8, create: false }), UNTIMED)
const rules = rulesOf({ now, random: testRandom, transports: registry, log: () => {} })
const random = new SeededRandom(Number(seed))
const errors: string[] = []
let acknowledged = 0
let refused = 0
let left = Number(batches)

function batch(): Arrival[] {
  return Array.from({ length: 1 + random.integer(LARGEST_BATCH - 1) }, () => ({
    target: { kind: 'id', id: random.pick(checks) },
    signal: aSignal({ action: random.pick(ACTIONS) }),
    receivedAt: now(),
  }))
}

async function commit(arrivals: readonly Arrival[]): Promise<void> {
  for (;;) {
    try {
      const { outcomes } = await store.pings.commit(arrivals, rules)
      acknowledged += outcomes.filter((outcome) => outcome === 'ok').length
      return
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason !== BUSY) throw error
      refused += 1
    }
  }
}

async function work(): Promise<void> {
  while (left > 0) {
    left -= 1
    try {
      await commit(batch())
    } catch (error) {
      errors.push(
        error instanceof Error ? `${error.message}: ${String(Reflect.get(error, 'reason') ?? '')}` : String(error),
      )
    }
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work))
await store.close()
const written: Written = { acknowledged, refused, errors }
stdout.write(JSON.stringify(written))
