/** The app as the program builds it, on a real store, with a clock that the test moves and a sender that records. */
import { type App, createApp, openTelemetry } from '../../src/app/app.ts'
import { createDeps } from '../../src/app/deps.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Actor, operatorIn } from '../../src/domain/actor.ts'
import type { Carriers } from '../../src/domain/carrier/carriers.ts'
import type { HttpAnswer } from '../../src/domain/carrier/http-exchange.ts'
import type { Mail, MailAnswer } from '../../src/domain/carrier/mail.ts'
import type { Project } from '../../src/domain/project.ts'
import type { Log } from '../../src/lib/log.ts'
import type { Argon2Cost } from '../../src/lib/secrets/password-hasher.ts'
import type { Stopwatch } from '../../src/services/common/ports/measurements.ts'
import type { FreshKeys } from '../../src/services/projects/projects.ts'
import { type HandClock, handClock } from './clock.ts'
import { briefDatabase, testDatabase } from './databases.ts'
import { countCalls } from './pending-calls.ts'
import { plainProject } from './plain-project.ts'
import { storableStore } from './storable-store.ts'

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface Call {
  /** value of `X-Api-Key` */
  readonly key?: string
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestApp {
  readonly app: App
  /** DATABASE_URL of the app */
  readonly databaseUrl: string
  readonly clock: HandClock
  readonly project: Project
  /** the operator, in the project */
  readonly actor: Actor
  readonly keys: FreshKeys
  /** every outgoing request, oldest first */
  readonly sent: Sent[]
  /** every outgoing email, oldest first */
  readonly mails: Mail[]
  readonly log: LogLine[]
  /** number of store calls that have not returned yet */
  pendingCalls(): number
  /** sets later replies of the mail server, which initially accepts everything */
  answerMailWith(answer: MailAnswer | ((mail: Mail) => MailAnswer)): void
  /** sets later answers of receivers; initially 200 */
  answerWith(answer: HttpAnswer | ((sent: Sent) => HttpAnswer)): void
  /** Handles a request without a socket. */
  call(method: string, path: string, call?: Call): Promise<Response>
  /** Like `call`, and parses the answer as JSON. */
  json<Body = Record<string, unknown>>(method: string, path: string, call?: Call): Promise<Body>
  close(): Promise<void>
}

export interface TestAppOptions {
  /** environment variables; by default the database is the app's own, and API_RATE_LIMIT is 0 */
  readonly env?: Readonly<Record<string, string>>
  /** others can open its database, too */
  readonly isShared?: boolean
  /** a shared app whose database, database clock and project this one uses, like a second instance */
  readonly beside?: Pick<TestApp, 'databaseUrl' | 'clock' | 'project' | 'keys'>
  /** clock of the machine; by default that of the database */
  readonly clock?: HandClock
  /** the machine's clock by default */
  readonly stopwatch?: Stopwatch
  /** carriers to use in place of those that record */
  readonly carriers?: Partial<Carriers>
}

/** Least cost that argon2 accepts, so that tests needn't wait for it. */
const CHEAP: Argon2Cost = { memoryCost: 8, timeCost: 1 }

/** Initial answer of receivers. */
export const OK: HttpAnswer = { kind: 'answered', status: 200, headers: new Headers(), body: '' }

export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { env = {}, isShared = false, beside, clock = beside?.clock ?? handClock(), stopwatch, carriers } = options
  const known = beside?.databaseUrl ?? env.DATABASE_URL
  const database = known === undefined ? await (isShared ? testDatabase() : briefDatabase()) : null
  const databaseUrl = database?.url ?? known ?? ''
  const config = readConfig({ API_RATE_LIMIT: '0', ...env, DATABASE_URL: databaseUrl })
  const sent: Sent[] = []
  const mails: Mail[] = []
  const lines: LogLine[] = []
  let mailAnswer: (mail: Mail) => MailAnswer = () => ({ kind: 'accepted', response: '250 OK' })
  const log: Log = (level, message, details = {}) => void lines.push({ level, message, details })
  let answer: (sent: Sent) => HttpAnswer = () => OK
  const opened = await createDeps(config, log, {
    now: clock.now,
    databaseClock: beside?.clock.now ?? clock.now,
    passwordCost: CHEAP,
    checkIntegrity: false,
    ...(stopwatch ? { stopwatch } : {}),
    carriers: {
      http: async (request) => {
        const body = await request.text()
        const headers = Object.fromEntries(request.headers)
        const record = { method: request.method, url: request.url, headers, body }
        sent.push(record)
        return answer(record)
      },
      mail: async (mail) => {
        if (mail.goesNowhere) return { kind: 'accepted', response: '' }
        mails.push(mail)
        return mailAnswer(mail)
      },
      ...carriers,
    },
  })
  const { store, pending } = countCalls(storableStore(opened.store))
  const deps = { ...opened, store }
  const app = createApp(config, deps, await openTelemetry(config, deps.log))
  const { project, keys } = beside ?? (await plainProject(app.deps, 'Tests'))
  const call = (method: string, path: string, { key, json, body, headers = {} }: Call = {}) => {
    const init: RequestInit = { method, headers: { ...(key === undefined ? {} : { 'x-api-key': key }), ...headers } }
    const payload = json === undefined ? body : JSON.stringify(json)
    return app.handle(new Request(`http://localhost${path}`, payload === undefined ? init : { ...init, body: payload }))
  }
  return {
    app,
    databaseUrl,
    clock,
    project,
    actor: operatorIn(project),
    keys,
    sent,
    mails,
    log: lines,
    pendingCalls: pending,
    answerMailWith: (given) => {
      mailAnswer = typeof given === 'function' ? given : () => given
    },
    answerWith: (given) => {
      answer = typeof given === 'function' ? given : () => given
    },
    call,
    json: async <Body>(method: string, path: string, given?: Call) => (await call(method, path, given)).json() as Body,
    async close() {
      await app.stop()
      await database?.remove()
    },
  }
}

/** An answer of a receiver. */
export function answered(status: number, headers: Readonly<Record<string, string>> = {}, body = ''): HttpAnswer {
  return { kind: 'answered', status, headers: new Headers(headers), body }
}
