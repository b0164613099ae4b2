/** A server on PostgreSQL under a steady load of pings, during a fault of the database. */
import { expect } from 'bun:test'
import { serve } from '../../../test/support/served.ts'
import { client, TRY_AGAIN } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { readiness, type StoppableServer, stoppable } from '../../support/fixture.ts'
import { PASSWORD, type PostgresDatabase } from './database.ts'
import { isAcknowledged, readLedger } from './ledger.ts'
import { type PingLoad, startPings } from './ping-load.ts'

const CHECKS = 20
const PINGS_PER_SECOND = 60
/** Limit for an answer: the server's two seconds, with a margin for a loaded machine. */
const ANSWERED_WITHIN_MS = 3_500
/** Limit for an acknowledgement: the server tries every fifth of a second; the rest is for a loaded machine. */
const ACCEPTED_WITHIN_MS = 3_000
/** Limit for a report by `/readyz`, whose result is cached for a second. */
const TOLD_WITHIN_MS = 5_000
const LOAD_AFTERWARDS_MS = 1_000

interface Trial {
  readonly served: StoppableServer
  readonly load: PingLoad
  readonly checks: readonly string[]
  /** Sends a GET to the API of the project. @param path such as `checks/` */
  readonly get: (path: string) => Promise<Response>
  /** Resolves when a ping sent after this call was refused. */
  untilRefused(): Promise<void>
  /** Resolves when a ping sent after this call was acknowledged. @returns milliseconds until then */
  untilAcknowledged(): Promise<number>
  /** Expects that readiness names the fault and reveals no secret, and that the process itself counts as healthy. */
  expectTold(words: string): Promise<void>
  /**
   * Expects that pings are acknowledged soon, and that the database holds what clients were told. Prints the figures. Call it when the
   * database is back.
   * @param held the database that has replaced the first
   */
  expectRecovery(fault: string, held?: PostgresDatabase): Promise<void>
}

interface TrialOptions {
  readonly database: PostgresDatabase
  /** DATABASE_URL of the server, if it goes through a proxy */
  readonly databaseUrl?: string
  readonly settings?: Readonly<Record<string, string>>
  /** Registers work after the test, even if it fails. */
  atEnd(work: () => unknown): void
}

/** Starts a server and the load, and resolves once pings are acknowledged. */
export async function underLoad(options: TrialOptions): Promise<Trial> {
  const { database, databaseUrl = database.url, settings = {}, atEnd } = options
  const served = stoppable(await serve({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'error', ...settings }))
  atEnd(served.stopped)
  const c = await client(database.url, served.baseUrl)
  const checks = await Promise.all(
    Array.from({ length: CHECKS }, (_, index) => c.createCheck({ name: `check ${index}` })),
  )
  const load = startPings(served.baseUrl, checks, PINGS_PER_SECOND)
  atEnd(() => load.stop())

  const until = async (what: string, isIt: (answer: string) => boolean): Promise<number> => {
    const from = performance.now()
    const found = () => load.pings.find(({ sentAt, answer }) => sentAt >= from && isIt(answer))
    await eventually(what, () => found() !== undefined)
    return (found()?.answeredAt ?? 0) - from
  }
  const untilAcknowledged = () => until('a ping is acknowledged', (answer) => answer === '200 OK')
  await untilAcknowledged()
  return {
    served,
    load,
    checks,
    get: (path) => c.api(path),
    untilAcknowledged,
    untilRefused: async () => void (await until('a ping is refused', (answer) => answer.startsWith('503 '))),
    async expectTold(words) {
      let told = ''
      await eventually(
        () => `readiness says "${words}", not ${told}`,
        async () => {
          told = await readiness(served)
          expect(told).not.toContain(PASSWORD)
          return told.startsWith('503 ') && told.includes(words)
        },
        TOLD_WITHIN_MS,
      )
      expect(await (await fetch(`${served.baseUrl}/healthz`)).text()).toBe('ok\n')
    },
    async expectRecovery(fault, held = database) {
      const acceptedAfterMs = await untilAcknowledged()
      await Bun.sleep(LOAD_AFTERWARDS_MS)
      await load.stop()
      await eventually('the server is ready', async () => (await readiness(served)).startsWith('200 '))
      const logs = served.logs()
      await served.stopped()
      const ledger = await readLedger(held.url, load.pings)
      const longestMs = Math.max(...load.pings.map(({ sentAt, answeredAt }) => answeredAt - sentAt))
      report({ fault, longestMs, acceptedAfterMs, ...ledger, refused: load.pings.length - ledger.acknowledged })
      expect(ledger.violations).toEqual([])
      expect(unexpected(load)).toEqual([])
      expect(longestMs).toBeLessThan(ANSWERED_WITHIN_MS)
      expect(acceptedAfterMs).toBeLessThan(ACCEPTED_WITHIN_MS)
      expect(logs).not.toContain('unexpected error')
      expect(logs).not.toContain(PASSWORD)
    },
  }
}

/** Lists answers that no sender may get. */
function unexpected({ pings }: PingLoad): string[] {
  const wrong = pings.filter(
    (ping) => !isAcknowledged(ping) && !(ping.answer === `503 ${TRY_AGAIN}` && ping.retryAfter),
  )
  return [...new Set(wrong.map(({ answer }) => answer))]
}

interface Figures {
  readonly fault: string
  readonly longestMs: number
  readonly acceptedAfterMs: number
  readonly acknowledged: number
  readonly refused: number
  readonly lost: number
  readonly unknown: number
}

function report({ fault, longestMs, acceptedAfterMs, acknowledged, refused, lost, unknown }: Figures): void {
  const answers = `longest answer ${longestMs.toFixed(0)} ms, accepted again after ${acceptedAfterMs.toFixed(0)} ms`
  process.stdout.write(
    `${fault}: ${answers}, ${acknowledged} acknowledged, ${refused} refused, ${lost} lost, ${unknown} there without an answer\n`,
  )
}
