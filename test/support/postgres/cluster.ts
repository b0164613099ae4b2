/** A PostgreSQL server of its own: a data folder that nobody else uses, on a socket beside it. It never outlives its test. */
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../../src/lib/errors.ts'
import { fastFolder } from '../folder.ts'
import { freePort } from '../free-port.ts'
import { accountInPlaceOfRoot, programFolder, runBy } from './programs.ts'

export interface ClusterOptions {
  /** folder in which it makes its own folder; by default in memory, if there is room */
  readonly parent?: string
  /** waits for the disk at each commit, as in production; off by default */
  readonly fsync?: boolean
  /** language whose rules order texts, such as `en`; by default texts are ordered by code points */
  readonly language?: string
  /** also listens on a free port of 127.0.0.1 */
  readonly tcp?: boolean
  /** settings as in `postgresql.conf` */
  readonly settings?: Readonly<Record<string, string>>
}

type StopMode = 'smart' | 'fast' | 'immediate'

export interface Cluster {
  /** folder of its socket, its log and its data */
  readonly folder: string
  /** folder of the data, below {@link folder} */
  readonly data: string
  /** port of the socket, and of 127.0.0.1 if it listens there */
  readonly port: number
  /** id of the first process, the parent of all others */
  readonly pid: number
  /** Returns a DATABASE_URL by the socket. */
  url(database: string): string
  /** Returns a DATABASE_URL by 127.0.0.1. @param port of a proxy in front of it */
  tcpUrl(database: string, port?: number): string
  /** Resolves when the server accepts connections. */
  start(): Promise<void>
  /** Resolves when all its processes have ended. */
  stop(mode?: StopMode): Promise<void>
  /** Returns the ids of all its processes, beginning with the first one. */
  processes(): readonly number[]
  /** Sends a signal, such as SIGSTOP or SIGCONT, to all its processes. */
  signal(signal: NodeJS.Signals): void
  /** Returns the contents of its log. */
  log(): string
  /** Stops the server at once and removes its folder. */
  remove(): Promise<void>
}

/** User that connects, without a password. */
export const USER = 'overdue'
export const SOCKET_PORT = 5432
const STARTED_WITHIN_MS = 30_000
const POLL_EVERY_MS = 5
const SIGNALS = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const
/** Settings for many test files at the same time, each test with its own connections. No maintenance runs by itself. */
const SETTINGS = {
  max_connections: '400',
  shared_buffers: '64MB',
  autovacuum: 'off',
  dynamic_shared_memory_type: 'mmap',
}
/** Settings without durability, because nothing must survive a crash of the machine. */
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** @throws if PostgreSQL is not installed, or does not start */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const programs = programFolder()
  const account = accountInPlaceOfRoot()
  const folder = mkdtempSync(join(options.parent ?? fastFolder(), 'overdue-pg-'))
  if (account !== null) chownSync(folder, account.uid, account.gid)
  const guard = guardOf(folder)
  const data = join(folder, 'data')
  const logPath = join(folder, 'log')
  const log = () => (existsSync(logPath) ? readFileSync(logPath, 'utf8') : '')
  const port = options.tcp ? freePort() : SOCKET_PORT
  const settings = {
    ...SETTINGS,
    ...(options.fsync ? {} : CARELESS),
    listen_addresses: options.tcp ? '127.0.0.1' : '',
    port: String(port),
    unix_socket_directories: folder,
    ...options.settings,
  }
  const command = [join(programs, 'postgres'), '-D', data]
  for (const [name, value] of Object.entries(settings)) command.push('-c', `${name}=${value}`)
  let child: Bun.Subprocess | null = null

  const self: Cluster = {
    folder,
    data,
    port,
    get pid() {
      if (child === null) throw new Error('the cluster is stopped')
      return child.pid
    },
    url: (database) => socketUrl(folder, port, database),
    tcpUrl: (database, through = port) => `postgres://${USER}@127.0.0.1:${through}/${database}`,
    async start() {
      rmSync(logPath, { force: true })
      const output = Bun.file(logPath)
      child = Bun.spawn(runBy(account, command), { stdin: 'ignore', stdout: output, stderr: output })
      child.unref()
      for (const until = performance.now() + STARTED_WITHIN_MS; !isReady(data); await Bun.sleep(POLL_EVERY_MS)) {
        if (child.exitCode !== null || performance.now() > until)
          throw new Error(`PostgreSQL does not start:\n${log()}`)
      }
    },
    async stop(mode = 'fast') {
      const ending = child
      if (ending === null) return
      child = null
      ending.kill(SIGNALS[mode])
      await ending.exited
    },
    processes: () => (child === null ? [] : [child.pid, ...childrenOf(child.pid)]),
    signal(signal) {
      for (const pid of self.processes()) sendSignal(pid, signal)
    },
    log,
    async remove() {
      if (child !== null) self.signal('SIGCONT')
      await self.stop('immediate')
      guard.stdin.end()
      await guard.exited
    },
  }
  try {
    const words = [join(programs, 'initdb'), '-D', data, '--no-sync', '-U', USER, '-A', 'trust', '-E', 'UTF8']
    const order = options.language === undefined ? [] : ['--locale-provider=icu', `--icu-locale=${options.language}`]
    await completed(runBy(account, [...words, '--locale=C.UTF-8', ...order]))
    await self.start()
  } catch (error) {
    await self.remove()
    throw error
  }
  return self
}

async function completed(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const said = await child.stderr.text()
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed:\n${said}`)
}

/** Returns a DATABASE_URL by the socket in this folder. */
export function socketUrl(folder: string, port: number, database: string): string {
  return `postgres://${USER}@/${database}?host=${folder}${port === SOCKET_PORT ? '' : `&port=${port}`}`
}

/** Ends the server and removes its folder as soon as this process ends, however it ends. */
function guardOf(folder: string) {
  const script = `
    trap '' INT TERM HUP
    cat >/dev/null
    pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" && kill -CONT "$pid" &&
      while kill -0 "$pid"; do sleep 0.05; done
    rm -rf "$1"`
  const guard = Bun.spawn(['sh', '-c', script, 'guard', folder], { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' })
  guard.unref()
  return guard
}

/** Sends a signal to a process, which may have ended by itself. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** Reads the state of the server from the eighth line of `postmaster.pid`. */
function isReady(data: string): boolean {
  const path = join(data, 'postmaster.pid')
  return existsSync(path) && readFileSync(path, 'utf8').split('\n')[7]?.trim() === 'ready'
}

function childrenOf(pid: number): number[] {
  const isChild = (name: string) => {
    try {
      // The name of the program, in parentheses, may contain spaces.
      return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] === String(pid)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isChild(name))
    .map(Number)
}
