/**
 * The set-up `deploy/two-instances`: the commands of its README. In place of Docker Compose, each service runs as the compose file says, by
 * the same program of this machine, on a port of its own.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '../../test/support/environment.ts'
import { type Folder, folderOnDisk } from '../../test/support/folder.ts'
import { freePort } from '../../test/support/free-port.ts'
import { accountInPlaceOfRoot, programPath, runBy } from '../../test/support/postgres/programs.ts'
import { FROM_SOURCE } from '../../test/support/served.ts'
import { commandsOf, ROOT } from '../../test/support/set-ups.ts'
import { eventually } from '../support/eventually.ts'
import { readCompose, type Service } from './support/compose.ts'
import { balancerFile } from './support/shipped-balancer.ts'

const SET_UP = 'deploy/two-instances'
const PROGRAMS = ['initdb', 'pg_basebackup', 'pg_ctl', 'postgres', 'psql']
const RESTART_AFTER_MS = 200

const MISSING = ['haproxy', 'curl', 'openssl'].filter((program) => Bun.which(program) === null)

describe.skipIf(MISSING.length > 0)('two instances (skipped where haproxy, curl or openssl is not installed)', () => {
  const [makeSettings = '', , look = ''] = commandsOf('two-instances')
  const ends: (() => Promise<unknown>)[] = []
  const names = ['db1', 'db2', 'overdue1', 'overdue2', 'balancer'] as const
  const ports = Object.fromEntries(names.map((name) => [name, freePort()]))
  let folder: Folder
  let services: Readonly<Record<string, Service>>

  /** Runs a program until the end of the test, and again when it has ended: `restart: unless-stopped`. */
  function keepRunning(command: readonly string[], settings: Readonly<Record<string, string>>): void {
    let isOver = false
    let child: Bun.Subprocess
    const run = async () => {
      while (!isOver) {
        child = Bun.spawn([...command], { cwd: ROOT, env: environment(settings), stdout: 'ignore', stderr: 'ignore' })
        await child.exited
        if (!isOver) await Bun.sleep(RESTART_AFTER_MS)
      }
    }
    const running = run()
    ends.push(() => {
      isOver = true
      child.kill('SIGINT')
      return running
    })
  }

  const settingsOf = (name: string) => ({
    ...services[name]?.environment,
    DATABASE_URL: (services[name]?.environment.DATABASE_URL ?? '').replace(
      /db\d/g,
      (host) => `127.0.0.1:${ports[host]}`,
    ),
    HOST: '127.0.0.1',
    PORT: String(ports[name]),
  })

  function startDatabase(name: 'db1' | 'db2'): void {
    const { entrypoint = [], command = [], environment: given } = services[name] ?? {}
    const place = folder.file(name)
    mkdirSync(join(place, 'bin'), { recursive: true })
    for (const program of PROGRAMS) symlinkSync(programPath(program), join(place, 'bin', program))
    symlinkSync(join(import.meta.dir, 'support/docker-entrypoint.sh'), join(place, 'bin/docker-entrypoint.sh'))
    writeFileSync(join(place, 'bin/hostname'), `#!/bin/sh\necho ${name}\n`, { mode: 0o755 })
    const account = accountInPlaceOfRoot()
    if (account !== null) chownSync(place, account.uid, account.gid)
    const words = entrypoint.map((word) => word.replace('/overdue/', `${folder.file(SET_UP)}/`))
    const follows = given?.FOLLOWS === '' ? '' : `127.0.0.1 port=${ports[given?.FOLLOWS ?? '']}`
    keepRunning(runBy(account, [...words, ...command]), {
      ...given,
      FOLLOWS: follows,
      FIRST_START: folder.file(`${SET_UP}/first-start.sh`),
      PATH: `${join(place, 'bin')}:${process.env.PATH}`,
      PGDATA: join(place, 'data'),
      PGHOST: place,
      PGPORT: String(ports[name]),
    })
  }

  /** Runs a command of the README, with the port of the balancer on this machine. */
  async function shell(line: string) {
    const here = line.replaceAll('localhost:8000', `127.0.0.1:${ports.balancer}`)
    const child = Bun.spawn(['sh', '-c', here], { cwd: folder.path, stdout: 'pipe', stderr: 'pipe' })
    const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
    return { status: await child.exited, output, errors }
  }

  beforeAll(async () => {
    folder = folderOnDisk()
    chmodSync(folder.path, 0o755)
    cpSync(join(ROOT, SET_UP), folder.file(SET_UP), { recursive: true, filter: (path) => !path.endsWith('.env') })
    expect(await shell(makeSettings)).toEqual({ status: 0, output: '', errors: '' })
    services = readCompose(folder.file(`${SET_UP}/compose.yaml`))
    expect(Object.keys(services).toSorted()).toEqual(names.toSorted())
    for (const name of ['db1', 'db2'] as const) startDatabase(name)
    for (const name of ['overdue1', 'overdue2']) keepRunning([...FROM_SOURCE.command, 'serve'], settingsOf(name))
    const file = folder.file('haproxy.cfg')
    writeFileSync(file, balancerFile(ports.balancer ?? 0, [ports.overdue1 ?? 0, ports.overdue2 ?? 0]))
    keepRunning(['haproxy', '-db', '-f', file], {})
  })

  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
    folder.remove()
  })

  test('answer that commits wait for the standby', async () => {
    expect(await shell(look)).toMatchObject({
      status: 0,
      output: expect.stringContaining('ok, commits wait for the disk of a standby, too'),
    })
  }, 180_000)

  test('run both, each by its name', async () => {
    const list = async () => {
      const settings = environment(settingsOf('overdue1'))
      const child = Bun.spawn([...FROM_SOURCE.command, 'instances', '--json'], { cwd: ROOT, env: settings })
      const output = await child.stdout.text()
      return (await child.exited) === 0 ? output : ''
    }
    await eventually('both instances run', async () => {
      const output = await list()
      return output.includes('"overdue1"') && output.includes('"overdue2"')
    })
  }, 60_000)
})
