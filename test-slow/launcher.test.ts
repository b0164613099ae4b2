/** The real program under package runners and shells: it ends when its package runner ends, and outlives its shell. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { environment } from '../test/support/environment.ts'
import { type Folder, folderOnDisk } from '../test/support/folder.ts'
import { freePort } from '../test/support/free-port.ts'
import { FROM_SOURCE } from '../test/support/served.ts'
import { eventually } from './support/eventually.ts'

const RUN = [process.execPath, 'run', 'start']
const NPX = ['npx', '-y', 'bun@1.4.5', 'start']
const HAS_PROC = existsSync('/proc/self/stat')
const CAN_NPX = HAS_PROC && Bun.which('npx') !== null
/** Limit for the end of the server, which checks its parent once a second and stops in less than five seconds. */
const ENDS_WITHIN_MS = 30_000

let folder: Folder
let baseUrl: string
const started = new Set<number>()
beforeEach(() => {
  folder = folderOnDisk()
})
afterEach(() => {
  for (const pid of started) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  started.clear()
  folder.remove()
})

const stat = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')

/** Whether the process runs. A zombie, which waits for its parent to collect it, counts as ended. */
function isAlive(pid: number): boolean {
  try {
    return stat(pid)[0] !== 'Z'
  } catch {
    return false
  }
}

/** Returns all descendants of a process, the closest first. They are killed after the test. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(Number(name), Number(stat(Number(name))[1]))
    } catch {
      // It has ended since the folder was read.
    }
  }
  const found = [pid]
  for (const parent of found) for (const [child, its] of parents) if (its === parent) found.push(child)
  for (const each of found) started.add(each)
  return found.slice(1)
}

const answers = () =>
  fetch(`${baseUrl}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** @returns the launcher and the process ids from its first child to the server */
async function launch(command: readonly string[]) {
  const port = freePort()
  baseUrl = `http://127.0.0.1:${port}`
  const settings = { DATABASE_URL: `sqlite:${folder.file('o.db')}`, PORT: String(port), SITE_ROOT: baseUrl }
  const { HOME = '' } = process.env
  const child = Bun.spawn([...command], {
    cwd: FROM_SOURCE.cwd,
    env: environment({ HOME, ...settings }),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  started.add(child.pid)
  let chain: number[] = []
  await eventually('the server answers', async () => {
    chain = isAlive(child.pid) ? descendants(child.pid) : chain
    return answers()
  })
  if (isAlive(child.pid)) chain = descendants(child.pid)
  return { child, chain, server: chain.at(-1) ?? child.pid }
}

const ended = (pid: number) => eventually('the server has ended', async () => !isAlive(pid), ENDS_WITHIN_MS)
/** Waits for longer than the server takes to notice and to stop. */
const expectStillRunning = async (pid: number) => {
  await Bun.sleep(3_500)
  expect(isAlive(pid)).toBe(true)
  expect(await answers()).toBe(true)
}

describe.skipIf(!HAS_PROC)('a server started by a package runner', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'ends when `bun run start` gets %s',
    async (signal) => {
      const { child, server } = await launch(RUN)
      expect(server).not.toBe(child.pid)
      child.kill(signal)
      await ended(server)
      expect(await answers()).toBe(false)
    },
    60_000,
  )

  test.skipIf(!CAN_NPX).each(['SIGTERM', 'SIGKILL'] as const)(
    'ends when npx above it gets %s',
    async (signal) => {
      const { child, chain, server } = await launch(NPX)
      expect(chain.length).toBeGreaterThan(1)
      child.kill(signal)
      await ended(server)
      expect(await answers()).toBe(false)
    },
    60_000,
  )

  test.skipIf(!CAN_NPX)(
    'ends when the shell between npx and bun is killed',
    async () => {
      const { chain, server } = await launch(NPX)
      process.kill(chain[0] ?? 0, 'SIGKILL')
      await ended(server)
    },
    60_000,
  )

  test('closes its database', async () => {
    const { child, server } = await launch(RUN)
    child.kill('SIGKILL')
    await ended(server)
    expect(readdirSync(folder.path)).toEqual(['o.db'])
  }, 60_000)
})

describe.skipIf(!HAS_PROC)('a server started from a shell that ends', () => {
  /** Starts the server in the background of a shell, which writes its process id to a file; then kills the shell. */
  async function fromShell(command: string) {
    const pidFile = folder.file('pid')
    const shell = ['sh', '-c', `${command} >/dev/null 2>&1 & echo $! > ${pidFile}; sleep 4`]
    const launched = await launch(shell)
    const first = Number(readFileSync(pidFile, 'utf8'))
    const server = [first, ...descendants(first)].at(-1) ?? first
    launched.child.kill('SIGKILL')
    await launched.child.exited
    return server
  }
  const words = (command: readonly string[]) => command.map((word) => `'${word}'`).join(' ')

  test.each(['nohup', 'setsid', ''])(
    'keeps running after `%s bun run start &`',
    async (prefix) => {
      await expectStillRunning(await fromShell(`${prefix} ${words(RUN)}`))
    },
    60_000,
  )

  test('keeps running when it was started without a package runner', async () => {
    await expectStillRunning(await fromShell(words([...FROM_SOURCE.command, 'serve'])))
  }, 60_000)

  test('keeps running when a package runner had opened that shell', async () => {
    await expectStillRunning(await fromShell(`npm_lifecycle_event=shell ${words([...FROM_SOURCE.command, 'serve'])}`))
  }, 60_000)

  test.skipIf(!CAN_NPX)(
    'keeps running after `nohup npx … start &`',
    async () => {
      await expectStillRunning(await fromShell(`nohup ${words(NPX)}`))
    },
    60_000,
  )
})
