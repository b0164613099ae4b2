/** A machine with jobs: a folder with the programs that the examples in `deploy/jobs/` name, and a server that receives their pings. */
import { expect } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '../../../test/support/environment.ts'
import { folderOnDisk } from '../../../test/support/folder.ts'
import { type Served, serve } from '../../../test/support/served.ts'

const ROOT = join(import.meta.dir, '../../..')
export const JOBS = join(ROOT, 'deploy/jobs')

/** Names of programs. Each prints its name and its arguments. */
const PROGRAMS = ['backup', 'sync-stock', 'report', 'srv/reports/weekly', 'scripts/report.sh']
const PROGRAM = '#!/bin/sh\necho "$(basename "$0") $*"\n'

interface Ping {
  readonly type: string
  readonly body: string
}

interface Ran {
  readonly status: number
  readonly output: string
  readonly errors: string
}

export interface Machine {
  readonly served: Served
  /** OVERDUE_URL and the ping key, as in the environment of a job */
  readonly settings: Readonly<Record<'OVERDUE_URL' | 'OVERDUE_PING_KEY', string>>
  /** Returns the text of an example, with the server, the key file and the paths of this machine. */
  example(name: string): string
  file(name: string): string
  /** Runs a line in a shell. */
  run(line: string, settings: Readonly<Record<string, string>>): Promise<Ran>
  createCheck(slug: string): Promise<void>
  /** Returns the pings of a check, oldest first. */
  pingsOf(slug: string): Promise<readonly Ping[]>
  check(slug: string): Promise<Readonly<Record<string, unknown>>>
  remove(): Promise<void>
}

export async function machine(): Promise<Machine> {
  const served = await serve()
  const folder = folderOnDisk()
  const project = await served.overdue<{ api_key: string; ping_key: string }>('project', 'create', 'Jobs')
  await layPrograms(folder.file, served.baseUrl)
  writeFileSync(folder.file('ping-key'), `${project.ping_key}\n`, { mode: 0o600 })

  const api = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${served.baseUrl}/api/v3/checks/${path}`, {
      headers: { 'X-Api-Key': project.api_key },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    expect(answer.status).toBeLessThan(300)
    return (path.endsWith('/body') ? answer.text() : answer.json()) as Promise<Answer>
  }
  const check = async (slug: string) => {
    const { checks } = await api<{ checks: Record<string, unknown>[] }>(`?slug=${slug}`)
    expect(checks).toHaveLength(1)
    return checks[0] ?? {}
  }
  return {
    served,
    settings: { OVERDUE_URL: served.baseUrl, OVERDUE_PING_KEY: project.ping_key },
    example: (name) =>
      readFileSync(join(JOBS, name), 'utf8')
        .replaceAll('https://overdue.example.org', served.baseUrl)
        .replaceAll('/etc/overdue-run/ping-key', folder.file('ping-key'))
        .replaceAll('/usr/local/bin', folder.path)
        .replaceAll('/srv', folder.file('srv')),
    file: folder.file,
    run: (line, settings) => runLine(line, folder.path, settings),
    check,
    createCheck: async (slug) => void (await api('', { name: slug, slug })),
    pingsOf: async (slug) => {
      const { uuid } = await check(slug)
      const { pings } = await api<{ pings: { n: number; type: string; body_url: string | null }[] }>(`${uuid}/pings/`)
      const runs = pings.map(async ({ n, type, body_url: url }) => ({
        type,
        body: url === null ? '' : await api<string>(`${uuid}/pings/${n}/body`),
      }))
      return (await Promise.all(runs)).reverse()
    },
    remove: async () => {
      await served.stop()
      folder.remove()
    },
  }
}

async function layPrograms(file: (name: string) => string, baseUrl: string): Promise<void> {
  const wrapper = await fetch(`${baseUrl}/overdue-run`)
  expect(wrapper.status).toBe(200)
  const programs = new Map(PROGRAMS.map((name) => [name, PROGRAM]))
  programs.set('overdue-run', await wrapper.text())
  programs.set('overdue', `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'src/main.ts')}' "$@"\n`)
  for (const folder of ['srv/reports', 'scripts', '.github']) mkdirSync(file(folder), { recursive: true })
  for (const [name, text] of programs) {
    writeFileSync(file(name), text)
    chmodSync(file(name), 0o755)
  }
}

async function runLine(line: string, cwd: string, settings: Readonly<Record<string, string>>): Promise<Ran> {
  const child = Bun.spawn(['sh', '-c', line], {
    cwd,
    env: { ...environment({}), OVERDUE_SPOOL: join(cwd, 'spool'), ...settings },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { status, output, errors }
}
