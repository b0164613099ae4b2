/** One refusal of each code, to ask each door for its answer. */
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

/** Each with the facts of its code and no others, made up, and named by its code. */
export function everyRefusal(): readonly (readonly [code: string, refusal: Refusal])[] {
  return Object.entries(REFUSALS).map(([code, [, ...names]]) => {
    const data = Object.fromEntries(names.map((name) => [name, FACTS[name]]))
    // Which code it is shows only now, so the compiler cannot hold its facts against it.
    const given = [code, `words of ${code}`, data] as unknown as ConstructorParameters<typeof Refusal>
    return [code, new Refusal(...given)]
  })
}
