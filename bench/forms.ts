/** The longest forms that pages accept, and longer ones that they refuse: the delay of pings beside each, and the memory. */
import { Database } from 'bun:sqlite'
import { getProject } from '../src/services/projects/projects.ts'
import { aChannel, anAuthor } from '../test/support/store-builders.ts'
import { signInAdministrator } from './support/administrator.ts'
import type { Bench } from './support/bench.ts'
import { progress, whole } from './support/figures.ts'
import { withDeps } from './support/model.ts'
import { longestPing, warmUp } from './support/pinging.ts'
import { databaseFile, databaseUrl } from './support/prepare.ts'
import { memoryOf } from './support/process-figures.ts'
import { type App, startApp, stopServer } from './support/servers.ts'
import { below, type Row, ratios } from './support/table.ts'

const INTEGRATIONS = 1_500
const CHECKS = 40_000
/** Number of checks to which each integration is assigned. */
const LOUD_CHECKS = 100
const SETTLE_MS = 200

const LONGEST_PING_MS = 100
const MEMORY_MB = 500

interface Sent {
  readonly what: string
  readonly path: string
  readonly body: string
  readonly status: number
}

export async function measureForms(bench: Bench): Promise<Row[]> {
  const { directory, paths } = await bench.database(CHECKS)
  const url = databaseUrl(directory)
  const channelIds = await addIntegrations(url)
  const cookie = await signInAdministrator(url)
  const forms = formsOf(channelIds, assignToSome(directory))
  const app = await startApp(directory)
  const pingUrl = `http://127.0.0.1:${app.port}${paths[0]}`
  await warmUp(pingUrl)
  const longest = forms.map((): number[] => [])
  const alone: number[] = []
  for (let round = 1; round <= bench.options.rounds; round++) {
    alone.push(await longestPing(pingUrl, () => Bun.sleep(bench.options.seconds * 1000), SETTLE_MS))
    progress(`round ${round}  alone the longest ping took ${alone.at(-1)?.toFixed(1)} ms`)
    for (const [index, form] of forms.entries()) {
      const took = await longestPing(pingUrl, () => send(app, cookie, form), SETTLE_MS)
      longest[index]?.push(took)
      progress(`round ${round}  beside ${form.what} the longest ping took ${took.toFixed(1)} ms`)
    }
  }
  const { peakMegabytes } = memoryOf(app.pid)
  await stopServer(app)
  return [
    ...forms.map(({ what }, index) => ({
      what: `longest ping beside ${what}`,
      figures: [{ name: '', values: longest[index] ?? [], digits: 1, unit: ' ms' }],
      ratio: { values: ratios(longest[index] ?? [], alone), to: 'alone', digits: 1 },
      aim: below(longest[index] ?? [], LONGEST_PING_MS, 'longest', ' ms'),
    })),
    {
      what: 'resident memory, highest during these forms',
      figures: [{ name: '', values: [peakMegabytes], digits: 0, unit: ' MB' }],
      ratio: null,
      aim: below([peakMegabytes], MEMORY_MB, 'resident', ' MB'),
    },
  ]
}

function addIntegrations(url: string): Promise<readonly string[]> {
  return withDeps(url, async (deps) => {
    const project = await getProject(deps, 'bench')
    const ids: string[] = []
    for (let n = 0; n < INTEGRATIONS; n++) {
      const channel = aChannel(project, { name: `Team ${n}` })
      await deps.store.by(anAuthor()).channels.create(channel)
      ids.push(channel.id)
    }
    return ids
  })
}

const ASSIGN_ALL = `
  INSERT INTO check_channels (check_id, channel_id)
  SELECT loud.id, channels.id FROM (SELECT id FROM checks ORDER BY public_id LIMIT $checks) AS loud, channels`

/** Assigns all integrations to some checks. @returns the checks, those with integrations first */
function assignToSome(directory: string): readonly string[] {
  const database = new Database(databaseFile(directory), { strict: true })
  database.query(ASSIGN_ALL).run({ checks: LOUD_CHECKS })
  const rows = database.query<{ public_id: string }, []>('SELECT public_id FROM checks ORDER BY public_id').all()
  database.close()
  return rows.map(({ public_id }) => public_id)
}

function formsOf(channelIds: readonly string[], publicIds: readonly string[]): readonly Sent[] {
  const switches = channelIds.map((id) => `to-${id}=on`)
  const others = (count: number) => Array.from({ length: count }, (_, n) => `field-${n}=value`)
  const unknown = Array.from({ length: CHECKS }, (_, n) => `c=zzz${n.toString(36).padStart(5, '0')}`)
  const loud = publicIds.slice(0, LOUD_CHECKS).map((id) => `c=${id}`)
  const assign = (action: 'assign' | 'unassign') => ({
    what: `a form that ${action}s one integration of ${LOUD_CHECKS} checks with ${whole(INTEGRATIONS)}`,
    path: '/p/bench/checks',
    body: [`action=${action}`, 'match=', `channel=${channelIds[0]}`, ...loud].join('&'),
    status: 303,
  })
  const signIn = 'email=nobody%40example.org&password='
  return [
    {
      what: "a stranger's form with as many fields as are read",
      path: '/sign-in',
      body: [signIn, ...others(998)].join('&'),
      status: 422,
    },
    {
      what: "a stranger's form of 64 KiB of fields, which is refused",
      path: '/sign-in',
      body: 'a&'.repeat(32_768),
      status: 413,
    },
    {
      what: `the ${whole(INTEGRATIONS)} integrations of a check, in as many fields as are read`,
      path: `/p/bench/checks/${publicIds[CHECKS - 1]}/integrations`,
      body: [...switches, ...others(10_000 - switches.length)].join('&'),
      status: 303,
    },
    {
      what: `a new check with ${whole(INTEGRATIONS)} integrations and a mistake, in as many fields as are read`,
      path: '/p/bench/checks/new',
      body: [...switches, ...others(10_000 - switches.length)].join('&'),
      status: 422,
    },
    assign('unassign'),
    assign('assign'),
    {
      what: `the question whether ${whole(CHECKS)} checks are to be deleted`,
      path: '/p/bench/checks',
      body: ['action=delete', 'match=', ...publicIds.map((id) => `c=${id}`)].join('&'),
      status: 200,
    },
    {
      what: `a change of ${whole(CHECKS)} checks that are gone`,
      path: '/p/bench/checks',
      body: ['action=pause', 'match=', ...unknown].join('&'),
      status: 303,
    },
    {
      what: 'a form of 1 MiB of fields, which is refused',
      path: '/p/bench/checks',
      body: 'a&'.repeat(524_288),
      status: 413,
    },
  ]
}

async function send({ port }: App, cookie: string, { what, path, body, status }: Sent): Promise<void> {
  const siteRoot = `http://127.0.0.1:${port}`
  const answer = await fetch(siteRoot + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, origin: siteRoot, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })
  await answer.arrayBuffer()
  if (answer.status !== status) throw new Error(`${what} was answered with ${answer.status}`)
}
