/** Pings to the served program, compared with a bare server that only reads them. */
import type { Bench } from './support/bench.ts'
import { whole } from './support/figures.ts'
import type { LoadResult } from './support/load.ts'
import { answersPerSecond, cpuMillisecondsPerThousand, pingLoad, type Turn, takeTurns } from './support/rounds.ts'
import { startApp, startBare, stopServer, type Target } from './support/servers.ts'
import { type Aim, atLeast, below, type Row, ratios } from './support/table.ts'

/** The parameters of one comparison. */
interface Setting {
  readonly connections: number
  readonly checks: number
  readonly bodyBytes: number
}

export async function measurePings(bench: Bench): Promise<Row[]> {
  const settings = settingsOf(bench)
  // Bodies of 10 kB leave a log of gigabytes, so these pings get their own databases.
  const [withoutBody, withBody] = [settings.filter(hasNoBody), settings.filter((setting) => !hasNoBody(setting))]
  const rows: Row[] = []
  for (const group of [withoutBody, withBody]) if (group.length > 0) rows.push(...(await compare(bench, group)))
  return rows
}

/** Returns the usual setting first, then those that differ from it in one parameter. */
function settingsOf({ options }: Bench): Setting[] {
  const [[connections = 64, ...otherConnections], [checks = 1000, ...otherChecks], [bodyBytes = 0, ...otherBodies]] = [
    options.connections,
    options.checks,
    options.bodies,
  ]
  const usual = { connections, checks, bodyBytes }
  return [
    usual,
    ...otherChecks.map((checks) => ({ ...usual, checks })),
    ...otherConnections.map((connections) => ({ ...usual, connections })),
    ...otherBodies.map((bodyBytes) => ({ ...usual, bodyBytes })),
  ]
}

function hasNoBody({ bodyBytes }: Setting): boolean {
  return bodyBytes === 0
}

async function compare(bench: Bench, settings: readonly Setting[]): Promise<Row[]> {
  const apps = new Map<number, Target>()
  const started = [await startBare()]
  const [bare] = started
  for (const checks of new Set(settings.map((setting) => setting.checks))) {
    const { directory, paths } = await bench.database(checks)
    const app = await startApp(directory)
    started.push(app)
    apps.set(checks, { name: 'app', port: app.port, pid: app.pid, paths })
  }
  const matches = settings.flatMap((setting) => {
    const app = apps.get(setting.checks)
    if (app === undefined || bare === undefined) return []
    const turn = (target: Target): Turn => ({
      target,
      label: describe({ ...setting, checks: target.paths.length }),
      load: pingLoad(setting.connections, setting.bodyBytes),
    })
    const opponent = turn({ name: 'bare', port: bare.port, pid: bare.pid, paths: app.paths })
    return [{ setting, bare: opponent, app: turn(app) }]
  })
  const results = await takeTurns(
    bench,
    matches.flatMap((match) => [match.bare, match.app]),
  )
  await Promise.all(started.map(stopServer))

  const of = (turn: Turn) => results.get(turn) ?? []
  const usual = matches[0]
  return matches.flatMap((match) => [
    ...rowsOf(match.app, match.setting, of(match.app), of(match.bare)),
    ...(usual && match.setting.checks !== usual.setting.checks
      ? [moreChecksRow(match.setting, usual.setting, of(match.app), of(usual.app))]
      : []),
  ])
}

function describe({ connections, checks, bodyBytes }: Setting): string {
  const body = bodyBytes === 0 ? 'no body' : `body of ${whole(bodyBytes)} bytes`
  return `${whole(connections)} ${connections === 1 ? 'connection' : 'connections'}, ${whole(checks)} checks, ${body}`
}

function rowsOf({ label }: Turn, setting: Setting, results: readonly LoadResult[], bare: readonly LoadResult[]): Row[] {
  const rates = results.map(answersPerSecond)
  const rateRatios = ratios(rates, bare.map(answersPerSecond))
  const busy = results.map(({ ownLoad }) => ownLoad * 100)
  const p50 = results.map(({ p50Milliseconds }) => p50Milliseconds)
  const p99 = results.map(({ p99Milliseconds }) => p99Milliseconds)
  const p99Ratios = ratios(
    p99,
    bare.map(({ p99Milliseconds }) => p99Milliseconds),
  )
  const cpu = results.map(cpuMillisecondsPerThousand)
  return [
    {
      what: `pings a second, ${label}`,
      figures: [
        { name: '', values: rates, digits: 0, unit: '/s' },
        { name: 'generator', values: busy, digits: 0, unit: ' % busy' },
      ],
      ratio: { values: rateRatios, to: 'bare' },
      aim: isCommon(setting) ? atLeast(rateRatios, 0.25, 'ratio') : null,
    },
    {
      what: `latency of a ping, ${label}`,
      figures: [
        { name: 'p50', values: p50, digits: 2, unit: ' ms' },
        { name: 'p99', values: p99, digits: 2, unit: ' ms' },
      ],
      ratio: { values: p99Ratios, to: 'bare (p99)', digits: 1 },
      aim: setting.connections === 64 ? below(p99, 10, 'p99', ' ms') : null,
    },
    {
      what: `processor time of 1,000 pings, ${label}`,
      figures: [{ name: '', values: cpu, digits: 2, unit: ' ms' }],
      ratio: { values: ratios(cpu, bare.map(cpuMillisecondsPerThousand)), to: 'bare', digits: 1 },
      aim: null,
    },
  ]
}

function isCommon({ connections, checks, bodyBytes }: Setting): boolean {
  return connections === 64 && checks === 1000 && bodyBytes === 0
}

/** Compares the program with many checks to itself with the usual number. */
function moreChecksRow(
  more: Setting,
  usual: Setting,
  results: readonly LoadResult[],
  usualResults: readonly LoadResult[],
): Row {
  const rates = results.map(answersPerSecond)
  const values = ratios(rates, usualResults.map(answersPerSecond))
  const aim: Aim | null = more.checks === 1_000_000 && usual.checks === 1000 ? atLeast(values, 0.6, 'ratio') : null
  return {
    what: `pings a second, ${whole(more.checks)} checks instead of ${whole(usual.checks)}`,
    figures: [{ name: '', values: rates, digits: 0, unit: '/s' }],
    ratio: { values, to: `${whole(usual.checks)} checks` },
    aim,
  }
}
