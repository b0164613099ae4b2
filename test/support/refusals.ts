/** A refusal of each code, for tests of the answers of pages, APIs and commands. */
import { REFUSALS, Refusal, type RefusalFacts } from '../../src/domain/errors.ts'

const FACTS: Required<RefusalFacts> = {
  name: 'Ops',
  meant: 'ops',
  project: 'Default',
  problems: ['one', 'two'],
  hint: 'do this',
  choices: ['up', 'down'],
  minimum: 1,
  maximum: 9,
  limit: 100,
  triesLeft: 3,
  waitSeconds: 900,
  retryAfterSeconds: 60,
  reason: 'the disk is full',
  isLogged: false,
  setting: 'PORT',
  kind: 'webhook',
  position: 1,
  length: 2,
  host: '127.0.0.1',
  port: 8000,
  isForbidden: false,
  path: '/data/o.db',
  log: '/data/o.db-wal',
  pid: 42,
  isGone: true,
  from: 'sqlite:/data/o.db',
  to: 'postgres://overdue@db/overdue',
  isComplete: true,
  keepsSecret: true,
  version: 6,
  knownVersion: 5,
  bytesLeft: 1,
  bytesNeeded: 2,
  needs: 'a webhook needs a URL',
  otherStatus: 'up',
  state: 'pending',
  mailError: 'nobody took it',
}

/** Returns a refusal of each code, with made-up facts of that code only. */
export function everyRefusal(): readonly (readonly [code: string, refusal: Refusal])[] {
  return Object.entries(REFUSALS).map(([code, [, ...names]]) => {
    const data = Object.fromEntries(names.map((name) => [name, FACTS[name]]))
    // The code is known only at run time, so the compiler cannot compare its facts with it.
    const given = [code, `words of ${code}`, data] as unknown as ConstructorParameters<typeof Refusal>
    return [code, new Refusal(...given)]
  })
}
