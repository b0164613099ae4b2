/** The system calls of a running server, recorded with strace, to compare with the filters of its systemd unit. */
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backupTime } from '../../src/domain/backup.ts'
import { folderOnDisk } from '../../test/support/folder.ts'
import { freePort } from '../../test/support/free-port.ts'
import { eventually } from './eventually.ts'

const ROOT = join(import.meta.dir, '../..')
const NOBODY = 65_534

interface SystemCalls {
  /** each once, in alphabetical order */
  readonly calls: readonly string[]
  /** address families of opened sockets, such as `AF_INET` */
  readonly addressFamilies: readonly string[]
}

/** Starts an unprivileged server, waits for a backup, sends it requests and stops it. @throws when that fails */
export async function recordSystemCalls(): Promise<SystemCalls> {
  const folder = folderOnDisk()
  const data = folder.file('data')
  const trace = join(data, 'trace')
  const [port, mailPort] = [freePort(), freePort()]
  const baseUrl = `http://127.0.0.1:${port}`
  const { PATH = '' } = process.env
  const backups = join(data, 'backups')
  const ports = { PORT: String(port), SMTPD_PORT: String(mailPort) }
  const settings = { ...ports, DATABASE_URL: `sqlite:${join(data, 'o.db')}`, BACKUP_DIRECTORY: backups }
  mkdirSync(data)
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    chmodSync(folder.path, 0o755)
    chownSync(data, NOBODY, NOBODY)
  }
  const drop = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  const server = [process.execPath, join(ROOT, 'src/main.ts'), 'serve', '--json']
  const child = Bun.spawn([...(isRoot ? drop : []), 'strace', '-f', '-qq', '-o', trace, ...server], {
    cwd: ROOT,
    env: { PATH, HOME: data, LOG_LEVEL: 'error', ...settings },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors] = [child.stdout.text(), child.stderr.text()]
  try {
    await eventually('the traced server answers, and has made a backup', async () => {
      if (child.exitCode !== null) throw new Error('the traced server has ended')
      const answer = await fetch(`${baseUrl}/readyz`).catch(() => null)
      const made = existsSync(backups) ? readdirSync(backups) : []
      return answer?.ok === true && made.some((name) => backupTime(name) !== null)
    })
    await use(baseUrl)
  } finally {
    // Sent to the server itself, because strace doesn't forward it.
    const [first] = readFileSync(trace, 'utf8').split(' ', 1)
    if (child.exitCode === null) process.kill(Number(first), 'SIGTERM')
    await child.exited
  }
  await output
  if (child.exitCode !== 0) throw new Error(`the traced server ended with ${child.exitCode}: ${await errors}`)
  const text = readFileSync(trace, 'utf8')
  folder.remove()
  const all = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted()
  return { calls: all(/^\d+\s+([a-z]\w*)\(/gm), addressFamilies: all(/\bsocket\((AF_\w+)/g) }
}

/** Sends one request of each kind. The content of the answers doesn't matter. */
async function use(baseUrl: string): Promise<void> {
  const nowhere = `/ping/${crypto.randomUUID()}`
  for (const path of ['/healthz', '/metrics', '/api/v3/status/', '/api/v3/openapi.json', '/docs/api', nowhere]) {
    const answer = await fetch(`${baseUrl}${path}`, { method: path === nowhere ? 'POST' : 'GET' })
    await answer.text()
  }
}
