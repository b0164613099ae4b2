/** The delay of pings while many people read a status page, compared with the same server without readers. */

import { newStatusPage } from '../src/domain/status-page/status-page.ts'
import { addSeconds } from '../src/lib/time.ts'
import { rules } from '../src/services/common/rules.ts'
import { anAuthor } from '../test/support/store-builders.ts'
import type { Bench } from './support/bench.ts'
import { median, whole } from './support/figures.ts'
import type { LoadResult } from './support/load.ts'
import { PING, withDeps } from './support/model.ts'
import { databaseUrl } from './support/prepare.ts'
import { answersPerSecond, drive, type Load, pingLoad, type Turn, takeTurns } from './support/rounds.ts'
import { type Served, startApp, stopServer, type Target } from './support/servers.ts'
import { type Row, ratios } from './support/table.ts'

const READS_PER_SECOND = 1_000
const READERS = 50
/** Greatest number of services on a page. */
const SERVICES = 100
const INCIDENTS_EACH = 10
const DAY_SECONDS = 86_400
const SLUG = 'bench'
/** Pings of a few thousand jobs in a busy second. */
const PINGS_PER_SECOND = 2_000
const RATIO_LIMIT = 1.1

const READ: Load = {
  connections: READERS,
  bodyBytes: 0,
  perSecond: READS_PER_SECOND,
  // As browsers do.
  headers: { 'Accept-Encoding': 'gzip, deflate, br' },
  answer: { bytes: null, end: '' },
}

export async function measureStatusPage(bench: Bench): Promise<Row[]> {
  const [app, other] = [await startWithPage(bench), await startWithPage(bench)]
  const connections = bench.options.connections[0] ?? 1
  const loads = [
    {
      what: `${whole(PINGS_PER_SECOND)} pings a second`,
      load: { ...pingLoad(connections), perSecond: PINGS_PER_SECOND },
    },
    { what: `pings on ${connections} connections`, load: pingLoad(connections) },
  ]
  const reads: LoadResult[] = []
  const readAt = async (server: Target): Promise<LoadResult> => {
    const page: Turn = { target: { ...server, paths: [`/status/${SLUG}`] }, load: READ, label: 'status page' }
    return drive(bench, page, bench.options.seconds, null)
  }
  const beside = async () => {
    reads.push(await readAt(app))
  }
  const trials = loads.map(({ what, load }) => ({
    what,
    load,
    alone: { target: app, load, label: `${what}, nobody looks` } satisfies Turn,
    elsewhere: {
      target: app,
      load,
      label: `${what}, beside another server`,
      beside: () => readAt(other),
    } satisfies Turn,
    beside: { target: app, load, label: `${what}, beside the page`, beside } satisfies Turn,
  }))
  const results = await takeTurns(
    bench,
    trials.flatMap((trial) => [trial.alone, trial.elsewhere, trial.beside]),
  )
  await stopServer(app)
  await stopServer(other)
  const p99 = (turn: Turn) => (results.get(turn) ?? []).map(({ p99Milliseconds }) => p99Milliseconds)
  const figure = (name: string, values: readonly number[]) => ({ name, values, digits: 2, unit: ' ms' })
  return [
    ...trials.map(({ what, load, alone, elsewhere, beside }) => {
      const values = ratios(p99(beside), p99(elsewhere))
      return {
        what: `99th percentile of ${what} beside a status page that is read ${whole(READS_PER_SECOND)} times a second`,
        figures: [
          figure('', p99(beside)),
          figure('while another server on this machine is read as often', p99(elsewhere)),
          figure('alone', p99(alone)),
        ],
        // The readers take processor time too, whichever server answers them.
        ratio: { values, to: 'another server read as often' },
        // Pings that are sent as fast as they are answered use all processor time, so any reader slows them down.
        aim:
          load.perSecond === undefined ? null : { text: `ratio < ${RATIO_LIMIT}`, isMet: median(values) < RATIO_LIMIT },
      }
    }),
    {
      what: `status page of ${SERVICES} services, read ${whole(READS_PER_SECOND)} times a second beside pings`,
      figures: [
        figure(
          'median',
          reads.map(({ p50Milliseconds }) => p50Milliseconds),
        ),
        figure(
          '99th percentile',
          reads.map(({ p99Milliseconds }) => p99Milliseconds),
        ),
        { name: 'answers', values: reads.map(answersPerSecond), digits: 0, unit: '/s' },
      ],
      ratio: null,
      aim: null,
    },
  ]
}

async function startWithPage(bench: Bench): Promise<Target & Served> {
  const { directory, paths } = await bench.database(bench.options.checks[0] ?? 1)
  await addStatusPage(directory, paths)
  return { ...(await startApp(directory, { PUBLIC_RATE_LIMIT: '0' })), name: 'app', paths }
}

/** Adds a page with the first checks, each of which was down for an hour now and then. */
async function addStatusPage(directory: string, paths: readonly string[]): Promise<void> {
  const ids = paths.slice(0, SERVICES).map((path) => path.slice('/ping/'.length))
  await withDeps(databaseUrl(directory), async (deps) => {
    const { store } = deps
    const begin = addSeconds(deps.now(), -INCIDENTS_EACH * DAY_SECONDS)
    for (let day = 0; day < INCIDENTS_EACH; day++) {
      for (const [kind, hours] of [
        ['fail', 1],
        ['success', 2],
      ] as const) {
        const receivedAt = addSeconds(begin, day * DAY_SECONDS + hours * 3600)
        const arrivals = ids.map((id) => {
          return { target: { kind: 'id', id } as const, signal: { ...PING, action: kind }, receivedAt }
        })
        await store.pings.commit(arrivals, rules(deps))
      }
    }
    const [project] = await store.projects.list()
    if (!project) throw new Error('the database has no project')
    const services = ids.map((checkId, index) => ({ checkId, name: `Service ${index + 1}`, text: 'Runs every night.' }))
    const sections = [{ id: 'all', name: 'Everything', tag: null, services }]
    const page = {
      ...newStatusPage({ projectId: project.id, slug: SLUG, tz: 'UTC', updatedAt: deps.now() }),
      isPublic: true,
      sections,
    }
    await store.by(anAuthor()).statusPages.change(project.id, () => page)
  })
}
