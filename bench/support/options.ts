/** The options of `bun run bench`. */
import { parseArgs } from 'node:util'
import { type Contestant, peerAt } from './servers.ts'

export interface Options {
  /** Names of measures, in the order in which they run. */
  readonly only: readonly string[]
  readonly seconds: number
  readonly rounds: number
  /** Of these three the first is the usual one; each other value is measured with the usual ones of the other two. */
  readonly connections: readonly number[]
  readonly checks: readonly number[]
  readonly bodies: readonly number[]
  readonly lists: readonly number[]
  readonly due: number
  readonly idleSeconds: number
  readonly pings: number
  readonly peer: Contestant | null
  /** Small values: what comes out says nothing about aims. */
  readonly quick: boolean
  readonly json: boolean
}

const FULL = {
  seconds: '3',
  rounds: '5',
  connections: '64,1,512',
  checks: '1000,1000000',
  bodies: '0,1000,10000',
  lists: '1000,20000',
  due: '10000',
  'idle-seconds': '60',
  pings: '1000000',
}
const QUICK: typeof FULL = {
  ...FULL,
  seconds: '1',
  rounds: '2',
  checks: '1000,20000',
  lists: '100,1000',
  due: '1000',
  'idle-seconds': '5',
  pings: '20000',
}

/** @param measures the names of all, in their order */
export function help(measures: readonly string[]): string {
  return `bun run bench [options]: what Overdue needs and how it compares, as a Markdown table

  --only A,B           only these of: ${measures.join(', ')}
  --seconds N          that a round counts, after one second of warm-up (${FULL.seconds})
  --rounds N           of all that is compared, in turn (${FULL.rounds})
  --connections N,…    kept alive, each with one request on the way (${FULL.connections})
  --checks N,…         pinged at random, idle, opened at the start (${FULL.checks})
  --bodies N,…         bytes that each ping carries (${FULL.bodies})
                       of these three, the first is the usual value: every other is measured with the
                       usual ones of the other two, so that three single values measure one pair
  --lists N,…          checks in a list that is fetched (${FULL.lists})
  --due N              checks whose deadline is the same instant (${FULL.due})
  --idle-seconds N     in which an idle server's use of the processor is taken (${FULL['idle-seconds']})
  --pings N            after which memory is looked at (${FULL.pings})
  --peer URL           a ping URL of another server on 127.0.0.1, driven as well; may be repeated
  --quick              small values for all that is not given: shows that it works, not how fast
  --json               the rows as JSON, each round's value in them, instead of the table
`
}

/**
 * @param measures the names of all, in their order
 * @returns null when help is asked for
 * @throws Error for what cannot be understood, in words for whoever has typed it
 */
export function readOptions(given: readonly string[], measures: readonly string[]): Options | null {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...given],
    options: {
      only: text,
      seconds: text,
      rounds: text,
      connections: text,
      checks: text,
      bodies: text,
      lists: text,
      due: text,
      'idle-seconds': text,
      pings: text,
      peer: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { only, peer, quick, json, help: _, ...numbers } = values
  const chosen = { ...(quick ? QUICK : FULL), ...numbers }
  return {
    only: chooseMeasures(only, measures),
    seconds: single('seconds', chosen.seconds, 0.1),
    rounds: wholeNumbers('rounds', chosen.rounds, 1)[0],
    connections: wholeNumbers('connections', chosen.connections, 1),
    checks: wholeNumbers('checks', chosen.checks, 1),
    bodies: wholeNumbers('bodies', chosen.bodies, 0),
    lists: wholeNumbers('lists', chosen.lists, 1),
    due: wholeNumbers('due', chosen.due, 1)[0],
    idleSeconds: single('idle-seconds', chosen['idle-seconds'], 1),
    pings: wholeNumbers('pings', chosen.pings, 1)[0],
    peer: peer.length > 0 ? peerAt(peer) : null,
    quick,
    json,
  }
}

function chooseMeasures(given: string | undefined, measures: readonly string[]): string[] {
  if (given === undefined) return [...measures]
  const chosen = given.split(',')
  const unknown = chosen.find((name) => !measures.includes(name))
  if (unknown !== undefined) throw new Error(`--only does not know "${unknown}", give some of ${measures.join(', ')}`)
  return measures.filter((name) => chosen.includes(name))
}

function wholeNumbers(name: string, given: string, minimum: number): readonly [number, ...number[]] {
  const [first = Number.NaN, ...others] = given.split(',').map((part) => single(name, part, minimum))
  const fraction = [first, ...others].find((value) => !Number.isInteger(value))
  if (fraction !== undefined) throw new Error(`--${name} takes whole numbers, not ${fraction}`)
  return [first, ...others]
}

function single(name: string, given: string, minimum: number): number {
  const value = Number(given)
  if (given.trim() !== '' && value >= minimum && value < 1e9) return value
  throw new Error(`--${name} does not understand "${given}", give a number from ${minimum}`)
}
