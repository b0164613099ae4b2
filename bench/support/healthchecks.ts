/** Healthchecks as a peer: under uWSGI with the settings of its image, on SQLite, which is its default. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { type ProgramPlace, startProgram } from './children.ts'
import { NotInstalled, type Peer } from './peers.ts'
import { treeOf } from './process-figures.ts'
import { startOther, stopServer } from './servers.ts'

/** Settings of the image, except for the port, the paths, and the log of requests, which is left out. */
const UWSGI = [
  ...['--master', '--die-on-term', '--enable-threads', '--thunder-lock', '--disable-write-exception'],
  ...['--disable-logging', '--harakiri=10', '--post-buffering=4096', '--processes=4', '--threads=1', '--max-fd=10000'],
  ...['--module=hc.wsgi:application', '--hook-pre-app=exec:python3 manage.py migrate'],
  ...['--attach-daemon=python3 manage.py sendalerts', '--attach-daemon=python3 manage.py sendreports --loop'],
]

/** Script that creates checks that are up, and prints their UUIDs. `COUNT` is replaced by the number of checks. */
const CREATE_CHECKS = `
from django.contrib.auth.models import User
from django.utils.timezone import now
from hc.accounts.models import Project
from hc.api.models import Check
owner = User.objects.create(username="bench", email="bench@example.org")
project = Project.objects.create(owner=owner, badge_key="bench")
for n in range(COUNT):
    check = Check(project=project, name=f"Nightly backup of host {n}", status="up", last_ping=now())
    check.save()
    print("check", check.code)
`

/**
 * Creates a database in `directory`, which is empty.
 * @param source the directory of its `manage.py`; `python3` and `uwsgi` on PATH must have its dependencies
 * @throws NotInstalled
 */
export async function prepareHealthchecks(source: string, directory: string, checks: number): Promise<Peer> {
  if (!existsSync(join(source, 'manage.py'))) throw new NotInstalled(`there is no manage.py in ${source}`)
  const missing = ['python3', 'uwsgi'].find((program) => Bun.which(program) === null)
  if (missing !== undefined) {
    throw new NotInstalled(`there is no ${missing} on PATH: activate the Python environment that has its requirements`)
  }
  const place: ProgramPlace = {
    settings: {
      DB: 'sqlite',
      DB_NAME: join(directory, 'hc.sqlite'),
      DEBUG: 'False',
      SECRET_KEY: 'bench',
      ALLOWED_HOSTS: '127.0.0.1',
    },
    directory: source,
    log: join(directory, 'log'),
  }
  await run(['python3', 'manage.py', 'migrate'], place)
  const created = await run(
    ['python3', 'manage.py', 'shell', '-c', CREATE_CHECKS.replace('COUNT', String(checks))],
    place,
  )
  return {
    name: ['Healthchecks', ...versionOf(source)].join(' '),
    paths: [...created.matchAll(/^check (\S+)$/gm)].map(([, id]) => `/ping/${id}`),
    pings: (connections) => ({
      connections,
      isKeptAlive: false,
      bodyBytes: 0,
      headers: {},
      answer: { bytes: null, end: 'OK' },
    }),
    async start() {
      const port = freePort()
      const command = ['uwsgi', `--http-socket=127.0.0.1:${port}`, ...UWSGI]
      const server = await startOther(command, place, port, '/api/v3/status/')
      const stop = async () => {
        const processes = treeOf(server.pid)
        await stopServer(server)
        for (const pid of processes) end(pid)
      }
      return { port, own: server, stop }
    },
  }
}

/** @returns the whole output so far in this place @throws Error when the command fails, with the end of the output */
async function run(command: readonly string[], place: ProgramPlace): Promise<string> {
  const code = await startProgram(command, place).exited
  const printed = readFileSync(place.log, 'utf8')
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(' ')} ended with ${code}: ${printed.slice(-2000)}`)
  return printed
}

/** Ends a process that has outlived its parent. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** @returns version of the newest section of its change log, which its pages show, too */
function versionOf(source: string): string[] {
  const changes = join(source, 'CHANGELOG.md')
  return existsSync(changes) ? (/^## (v\S+)/m.exec(readFileSync(changes, 'utf8'))?.slice(1) ?? []) : []
}
