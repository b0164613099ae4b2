/** Other programs for the same purpose compared with this one: pings, memory and the start. */
import type { Bench } from './support/bench.ts'
import { progress, whole } from './support/figures.ts'
import { prepareGatus } from './support/gatus.ts'
import { prepareHealthchecks } from './support/healthchecks.ts'
import { NotInstalled, type Peer, type PeerChoice, peerAt } from './support/peers.ts'
import { memoryOfAll, treeOf } from './support/process-figures.ts'
import { answersPerSecond, pingLoad, type Turn, takeTurns } from './support/rounds.ts'
import { startApp, stopServer } from './support/servers.ts'
import { type Row, ratios } from './support/table.ts'

const SETTLE_MS = 5000
const DIGITS_OF_MILLISECONDS = 1

/** Figures of one program, one of each kind for each round; none of a kind that can't be measured. */
interface Measured {
  readonly peer: Peer
  readonly startMilliseconds: number[]
  readonly megabytes: number[]
  rates: number[]
  p99Milliseconds: number[]
}

export async function measurePeers(bench: Bench): Promise<Row[]> {
  const [connections = 64] = bench.options.connections
  const [checks = 1000] = bench.options.checks
  const others: Peer[] = []
  for (const choice of bench.options.peers) others.push(...(await prepare(bench, choice, checks)))
  if (others.length === 0) {
    progress('nothing to compare with: --peer names no program that is installed')
    return []
  }
  const all = [await ourselves(bench, checks), ...others].map(
    (peer): Measured => ({ peer, startMilliseconds: [], megabytes: [], rates: [], p99Milliseconds: [] }),
  )
  await startInTurn(bench, all)
  const load = `${whole(connections)} connections, ${whole(checks)} checks`
  await pingInTurn(bench, all, connections, load)
  return [
    ...rowsOf(all, `pings a second, ${load}`, '/s', 0, ({ rates }) => rates),
    ...rowsOf(all, `99 of 100 pings within, ${load}`, ' ms', DIGITS_OF_MILLISECONDS, (each) => each.p99Milliseconds),
    ...rowsOf(all, `memory of all processes, idle, ${whole(checks)} checks`, ' MB', 0, ({ megabytes }) => megabytes),
    ...rowsOf(all, 'from the spawn to the first answer', ' ms', 0, ({ startMilliseconds }) => startMilliseconds),
  ]
}

/** Prepares the peers of a choice. @returns none, with a message, if the program is not installed */
async function prepare(bench: Bench, choice: PeerChoice, checks: number): Promise<Peer[]> {
  if (choice.program === 'any') return [peerAt(choice.urls, pingLoad)]
  const make = choice.program === 'gatus' ? prepareGatus : prepareHealthchecks
  try {
    return [await make(choice.place, bench.newDirectory(), checks)]
  } catch (error) {
    if (!(error instanceof NotInstalled)) throw error
    progress(`${choice.program} is left out: ${error.message}`)
    return []
  }
}

async function ourselves(bench: Bench, checks: number): Promise<Peer> {
  const { directory, paths } = await bench.database(checks)
  return {
    name: 'Overdue',
    paths,
    pings: pingLoad,
    async start() {
      const app = await startApp(directory)
      return { port: app.port, own: app, stop: () => stopServer(app) }
    },
  }
}

async function startInTurn({ options: { rounds } }: Bench, all: readonly Measured[]): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    for (const { peer, startMilliseconds, megabytes } of all) {
      const running = await peer.start()
      if (running.own !== null) {
        await Bun.sleep(SETTLE_MS)
        const memory = memoryOfAll(treeOf(running.own.pid))
        startMilliseconds.push(running.own.startMilliseconds)
        megabytes.push(memory)
        progress(
          `round ${round}  ${peer.name}: started in ${whole(running.own.startMilliseconds)} ms, ${whole(memory)} MB`,
        )
      }
      await running.stop()
    }
  }
}

async function pingInTurn(bench: Bench, all: readonly Measured[], connections: number, label: string): Promise<void> {
  const running = await Promise.all(all.map(({ peer }) => peer.start()))
  const turns = all.map(({ peer }, index): Turn => {
    const { name, paths } = peer
    return {
      target: { name, paths, port: running[index]?.port ?? 0, pid: null },
      load: peer.pings(connections),
      label,
    }
  })
  const results = await takeTurns(bench, turns)
  await Promise.all(running.map((each) => each.stop()))
  for (const [index, measured] of all.entries()) {
    const own = (turns[index] && results.get(turns[index])) ?? []
    measured.rates = own.map(answersPerSecond)
    measured.p99Milliseconds = own.map((result) => result.p99Milliseconds)
  }
}

function rowsOf(
  all: readonly Measured[],
  what: string,
  unit: string,
  digits: number,
  valuesOf: (measured: Measured) => readonly number[],
): Row[] {
  const [ours] = all
  return all.flatMap((measured) => {
    const values = valuesOf(measured)
    if (ours === undefined || values.length === 0) return []
    const ratio = measured === ours ? null : { values: ratios(values, valuesOf(ours)), to: ours.peer.name }
    return [{ program: measured.peer.name, what, figures: [{ name: '', values, digits, unit }], ratio, aim: null }]
  })
}
