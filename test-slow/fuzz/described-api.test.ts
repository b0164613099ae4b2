/**
 * The served APIs against their OpenAPI documents: Schemathesis generates thousands of valid and invalid requests from each
 * document and checks every answer. `SCHEMATHESIS` is the program where it isn't on the PATH. `EXAMPLES` is the
 * number of requests for each operation and phase.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { overdue, type Served, serve } from '../../test/support/served.ts'
import { byEffort } from '../support/effort.ts'
import { SEED } from '../support/seed.ts'

const FOLDER = join(import.meta.dir, 'schemathesis')
const PROGRAM = process.env.SCHEMATHESIS ?? 'schemathesis'
const EXAMPLES = process.env.EXAMPLES ?? String(byEffort({ short: 10, full: 70, long: 350 }))
const CHECKS = 120
/** Number of checks at the beginning that are down, and of checks at the end that are silenced. */
const DOWN = 40
const SILENCES = 20
/** Documents, and the fewest requests made from each. */
const DOCUMENTS: readonly (readonly [path: string, requestsAtLeast: number])[] = [
  ['/api/v3/openapi.json', byEffort({ short: 2_000, full: 5_000 })],
  ['/api/overdue/v1/openapi.json', byEffort({ short: 400, full: 1_000 })],
]
const WITHIN_MS = byEffort({ short: 900_000, long: 3_600_000 })
const METRICS_KEY = 'metrics-key-of-the-test'

interface Project {
  readonly id: string
  readonly api_key: string
  readonly api_key_readonly: string
  readonly ping_key: string
}

interface Report {
  readonly complete: boolean
  readonly test_cases: { readonly generated: number }
  readonly failures: readonly unknown[]
  readonly errors: readonly unknown[]
}

let served: Served
let project: Project
let channelId: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overdue-schemathesis-'))
  served = await serve({ METRICS_KEY })
  project = await overdue(served.databaseUrl, 'project', 'create', 'Described')
  const nowhere = 'http://127.0.0.1:9/'
  const settings = { method_down: 'GET', url_down: nowhere, body_down: '', headers_down: {} }
  const silent = { method_up: 'GET', url_up: '', body_up: '', headers_up: {} }
  const words = ['--project', project.id, '--kind', 'webhook', '--name', 'Ops']
  const json = JSON.stringify({ ...settings, ...silent })
  const channel = await overdue<{ id: string }>(served.databaseUrl, 'channel', 'create', ...words, '--settings', json)
  channelId = channel.id
  await createChecks()
})

afterAll(async () => {
  await served.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Creates checks with pings that have bodies, some of which are down, and silences; writes their identifiers to dictionaries. */
async function createChecks(): Promise<void> {
  const uuids: string[] = []
  const slugs: string[] = []
  const badgeKeys: string[] = []
  for (let index = 0; index < CHECKS; index++) {
    const slug = `job-${index}`
    const spec = { method: 'POST', body: JSON.stringify({ slug, tags: 'pool' }) }
    const { uuid, ping_url, badge_url } = await api<Record<'uuid' | 'ping_url' | 'badge_url', string>>('checks', spec)
    await fetch(`${ping_url}/start`, { method: 'POST', body: 'begun' })
    await fetch(ping_url, { method: 'POST', body: 'ended' })
    uuids.push(uuid)
    slugs.push(slug)
    badgeKeys.push(badge_url.slice(badge_url.lastIndexOf('/') + 1, -'.svg'.length))
  }
  for (const uuid of uuids.slice(0, DOWN)) await fetch(`${served.baseUrl}/ping/${uuid}/fail`)
  const found = await ofOwnApi<{ incidents: { id: string }[] }>('incidents')
  const silences: string[] = []
  for (const uuid of uuids.slice(-SILENCES)) {
    const body = JSON.stringify({ match: { checks: [uuid] }, until_healthy: true })
    silences.push((await ofOwnApi<{ id: string }>('silences', { method: 'POST', body })).id)
  }
  const { badges } = await api<{ badges: Record<string, Record<string, string>> }>('badges')
  // `…/badge/<key of the project>/<token>.svg` or `…/badge/<key of the project>/<token>/<tag>.svg`
  const urls = Object.values(badges).flatMap((each) => Object.values(each))
  const parts = urls.map((url) => (url.split('/badge/')[1] ?? '').split(/[/.]/))
  await Promise.all([
    writeDictionary('checks', uuids),
    writeDictionary('silences', silences),
    writeDictionary(
      'incidents',
      found.incidents.map(({ id }) => id),
    ),
    writeDictionary('slugs', slugs),
    writeDictionary('ping-keys', [project.ping_key]),
    writeDictionary('projects', [project.id]),
    writeDictionary('readonly-keys', [project.api_key_readonly]),
    writeDictionary('badge-keys', badgeKeys),
    writeDictionary(
      'project-badge-keys',
      parts.map(([key = '']) => key),
    ),
    writeDictionary(
      'badge-tokens',
      parts.map(([, token = '']) => token),
    ),
  ])
}

const api = <Answer>(collection: string, init?: RequestInit) => call<Answer>(`/api/v3/${collection}/`, init)
const ofOwnApi = <Answer>(collection: string, init?: RequestInit) =>
  call<Answer>(`/api/overdue/v1/${collection}/`, init)

async function call<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(served.baseUrl + path, { ...init, headers: { 'X-Api-Key': project.api_key } })
  return (await answer.json()) as Answer
}

function writeDictionary(name: string, values: readonly string[]): Promise<number> {
  return Bun.write(join(folder, `${name}.dict`), values.map((value) => `"${value}"\n`).join(''))
}

async function runSchemathesis(document: string): Promise<{ report: Report; output: string }> {
  const reportPath = join(folder, 'report.json')
  const config = join(folder, 'schemathesis.toml')
  await Bun.write(config, Bun.file(join(FOLDER, 'schemathesis.toml')))
  const child = Bun.spawn(
    [
      PROGRAM,
      ...['--config-file', config, 'run', served.baseUrl + document],
      ...['--phases', 'examples,coverage,fuzzing,stateful'],
      ...['--seed', String(SEED), '--max-examples', EXAMPLES, '--continue-on-failure', '--no-color'],
      ...['--generation-database', 'none', '--report-json-path', reportPath],
    ],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: folder,
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_HOOKS: join(FOLDER, 'hooks.py'),
        API_KEY: project.api_key,
        API_KEY_READONLY: project.api_key_readonly,
        METRICS_KEY,
        CHANNEL_ID: channelId,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const file = Bun.file(reportPath)
  if (!(await file.exists())) throw new Error(`Schemathesis wrote no report:\n${output}${errors}`)
  return { report: await file.json(), output }
}

test.each(DOCUMENTS)(
  'every answer is as described by %s, and none is a server error',
  async (document, requestsAtLeast) => {
    if (Bun.which(PROGRAM) === null) {
      throw new Error(`install Schemathesis first: pip install -r ${join(FOLDER, 'requirements.txt')}`)
    }
    const { report, output } = await runSchemathesis(document)
    if (report.failures.length + report.errors.length > 0) throw new Error(output)
    expect(report.complete).toBe(true)
    expect(report.test_cases.generated).toBeGreaterThanOrEqual(requestsAtLeast)
    expect(served.logs()).not.toContain('unexpected error')
  },
  WITHIN_MS,
)
