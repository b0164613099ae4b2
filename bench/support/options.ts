/** The options of `bun run bench`. */
import { parseArgs } from 'node:util'
import { choosePeers, type PeerChoice } from './peers.ts'

export interface Options {
  /** names of measures, in the order in which they run */
  readonly only: readonly string[]
  readonly seconds: number
  readonly rounds: number
  /** the first value of these three is the usual one; each other value is measured with the usual values of the other two */
  readonly connections: readonly number[]
  readonly checks: readonly number[]
  readonly bodies: readonly number[]
  readonly lists: readonly number[]
  readonly due: number
  readonly idleSeconds: number
  readonly pings: number
  readonly peers: readonly PeerChoice[]
  /** whether values are small, so that results can't be compared with the aims */
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

/** @param measures all names, in their order */
export function help(measures: readonly string[]): string {
  return `bun run bench [options]: measures speed and resource usage, and prints a Markdown table

  --only A,B           run only some of: ${measures.join(', ')}
  --seconds N          duration of a round, after one second of warm-up (${FULL.seconds})
  --rounds N           number of rounds; what is compared takes turns (${FULL.rounds})
  --connections N,…    keep-alive connections, each with one request in progress (${FULL.connections})
  --checks N,…         number of checks in the database (${FULL.checks})
  --bodies N,…         bytes in the body of each ping (${FULL.bodies})
                       the first value of these three is the usual one; each other value is measured
                       with the usual values of the other two
  --lists N,…          number of checks in a fetched list (${FULL.lists})
  --due N              number of checks with the same deadline (${FULL.due})
  --idle-seconds N     how long to measure the processor time of an idle server (${FULL['idle-seconds']})
  --pings N            number of pings before memory is measured (${FULL.pings})
  --peer NAME=PLACE    a program to compare with, healthchecks=DIRECTORY or gatus=FILE; left out if it is not
                       installed there; may be repeated
  --peer URL           a ping URL of another server on 127.0.0.1 to compare with; may be repeated
  --quick              small default values, to try that everything works
  --json               prints JSON with the values of each round instead of the table
`
}

/**
 * @param measures all names, in their order
 * @param onDemand names of measures that run only when `--only` names them
 * @returns null with `--help`
 * @throws Error with a message for the user when an option is invalid
 */
export function readOptions(
  given: readonly string[],
  measures: readonly string[],
  onDemand: readonly string[],
): Options | null {
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
    only: only === undefined ? measures.filter((name) => !onDemand.includes(name)) : chooseMeasures(only, measures),
    seconds: single('seconds', chosen.seconds, 0.1),
    rounds: wholeNumbers('rounds', chosen.rounds, 1)[0],
    connections: wholeNumbers('connections', chosen.connections, 1),
    checks: wholeNumbers('checks', chosen.checks, 1),
    bodies: wholeNumbers('bodies', chosen.bodies, 0),
    lists: wholeNumbers('lists', chosen.lists, 1),
    due: wholeNumbers('due', chosen.due, 1)[0],
    idleSeconds: single('idle-seconds', chosen['idle-seconds'], 1),
    pings: wholeNumbers('pings', chosen.pings, 1)[0],
    peers: choosePeers(peer),
    quick,
    json,
  }
}

function chooseMeasures(given: string, measures: readonly string[]): string[] {
  const chosen = given.split(',')
  const unknown = chosen.find((name) => !measures.includes(name))
  if (unknown !== undefined) throw new Error(`--only: unknown measure "${unknown}"; use some of ${measures.join(', ')}`)
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
  throw new Error(`--${name}: invalid value "${given}"; use a number from ${minimum}`)
}
