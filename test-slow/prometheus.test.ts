/** The real Prometheus, if installed: its linter reads our metrics, and it scrapes a running server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { type Folder, folderOnDisk } from '../test/support/folder.ts'
import { freePort } from '../test/support/free-port.ts'
import { overdue, type Served, serve } from '../test/support/served.ts'

const IS_INSTALLED = Bun.which('prometheus') !== null && Bun.which('promtool') !== null
const METRICS_KEY = 'a key for metrics'
const SCRAPED_WITHIN_MS = 60_000
const POLL_EVERY_MS = 250

/** Check names that could break the text format: quotes, line ends, the format's own syntax and U+2028. */
const HOSTILE_NAMES = ['"} 1', 'a\\', 'a\nhc_checks_total 99', '\r\n', '# HELP x y', '{a="b"}', '\u2028 😀', '']

/** The linter's exit status when it could read everything and has remarks. */
const PROMTOOL_LINT = 3

let folder: Folder
let served: Served
let project: { id: string; api_key: string; api_key_readonly: string; ping_key: string }

beforeAll(async () => {
  if (!IS_INSTALLED) return
  folder = folderOnDisk()
  served = await serve({ METRICS_KEY })
  project = await overdue(served.databaseUrl, 'project', 'create', 'Watched')
  for (const name of HOSTILE_NAMES) await createCheck({ name, tags: `${name} tag` })
  const uuid = await createCheck({ name: 'Runs' })
  for (const end of ['/start', '', '/start', '/fail']) await fetch(`${served.baseUrl}/ping/${uuid}${end}`)
})
afterAll(async () => {
  await served?.stop()
  folder?.remove()
})

async function createCheck(json: object): Promise<string> {
  const answer = await fetch(`${served.baseUrl}/api/v3/checks/`, {
    method: 'POST',
    headers: { 'X-Api-Key': project.api_key },
    body: JSON.stringify(json),
  })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { uuid: string }).uuid
}

const projectUrl = () => `${served.baseUrl}/projects/${project.id}/metrics/`

async function lint(url: string, key: string): Promise<{ status: number; remarks: string[] }> {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(200)
  const promtool = Bun.spawn(['promtool', 'check', 'metrics'], {
    stdin: new Blob([await answer.text()]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const output = await Promise.all([promtool.stdout.text(), promtool.stderr.text()])
  const remarks = output.flatMap((text) => text.split('\n')).filter((line) => line !== '')
  return { status: await promtool.exited, remarks: remarks.toSorted() }
}

describe.skipIf(!IS_INSTALLED)('promtool (skipped where Prometheus is not installed)', () => {
  test('accepts the metrics of the server', async () => {
    expect(await lint(`${served.baseUrl}/metrics`, METRICS_KEY)).toEqual({ status: 0, remarks: [] })
  })

  test('remarks only on two names in the metrics of a project, which are those of Healthchecks', async () => {
    const { status, remarks } = await lint(projectUrl(), project.api_key_readonly)
    expect(status).toBe(PROMTOOL_LINT)
    const names = remarks.map((line) => line.split(' ')[0])
    expect(names).toEqual(['hc_checks_down_total', 'hc_checks_total'])
  })
})

describe.skipIf(!IS_INSTALLED)('Prometheus (skipped where it is not installed)', () => {
  let address: string
  let child: Bun.Subprocess

  beforeAll(async () => {
    const job = (name: string, path: string, key: string) => ({
      job_name: name,
      metrics_path: path,
      scrape_interval: '1s',
      authorization: { credentials: key },
      static_configs: [{ targets: [new URL(served.baseUrl).host] }],
    })
    const config = {
      scrape_configs: [
        job('project', new URL(projectUrl()).pathname, project.api_key_readonly),
        job('server', '/metrics', METRICS_KEY),
      ],
    }
    // JSON is YAML.
    writeFileSync(folder.file('prometheus.yml'), JSON.stringify(config))
    const listen = `127.0.0.1:${freePort()}`
    address = `http://${listen}`
    child = Bun.spawn(
      [
        'prometheus',
        `--config.file=${folder.file('prometheus.yml')}`,
        `--storage.tsdb.path=${folder.file('data')}`,
        `--web.listen-address=${listen}`,
      ],
      { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
    )
  })
  afterAll(async () => {
    child.kill('SIGTERM')
    const hung = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await child.exited
    clearTimeout(hung)
  })

  interface Series {
    readonly metric: Readonly<Record<string, string>>
    readonly value: readonly [at: number, value: string]
  }

  async function query(expression: string): Promise<Series[]> {
    const answer = await fetch(`${address}/api/v1/query?query=${encodeURIComponent(expression)}`).catch(() => null)
    if (!answer?.ok) return []
    return ((await answer.json()) as { data: { result: Series[] } }).data.result
  }

  /** Waits until the query returns that many series. @returns the last result, even if there are more or fewer */
  async function series(expression: string, count: number): Promise<Series[]> {
    const until = performance.now() + SCRAPED_WITHIN_MS
    for (;;) {
      const found = await query(expression)
      if (found.length === count || performance.now() > until) return found
      await Bun.sleep(POLL_EVERY_MS)
    }
  }

  const value = async (expression: string) => (await series(expression, 1)).map(({ value: [, text] }) => Number(text))

  test('scrapes both targets', async () => {
    const up = await series('up == 1', 2)
    expect(up.map(({ metric }) => metric.job).toSorted()).toEqual(['project', 'server'])
  })

  test('reads the number of checks, and every name unchanged', async () => {
    expect(await value('hc_checks_total')).toEqual([HOSTILE_NAMES.length + 1])
    expect(await value('hc_checks_down_total')).toEqual([1])
    const checks = await series('hc_check_up', HOSTILE_NAMES.length + 1)
    const names = checks.map(({ metric }) => metric.name ?? '')
    expect(names.toSorted()).toEqual([...HOSTILE_NAMES, 'Runs'].toSorted())
  })

  test('can query and aggregate the metrics that only Overdue has', async () => {
    expect(await value('overdue_check_run_duration_seconds_count')).toEqual([2])
    expect(await value('histogram_quantile(0.5, overdue_check_run_duration_seconds_bucket)')).toEqual([0.5])
    const [age = Number.NaN] = await value('time() - overdue_check_last_success_timestamp_seconds')
    expect(age).toBeGreaterThan(-1)
    expect(age).toBeLessThan(120)
    expect(await value('overdue_pings_total{result="ok"}')).toEqual([4])
    expect(await value('overdue_database_size_bytes{file="main"} > 0')).toHaveLength(1)
  })
})
