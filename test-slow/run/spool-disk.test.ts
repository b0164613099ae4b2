/** A spool on a disk that is full or not writable: the job ends as without it, and standard error has one line about it. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { environment } from '../../test/support/environment.ts'
import { CAN_MOUNT, type Disk, NEEDS_MOUNT, smallDisk } from '../support/disk.ts'

const MAIN = `${import.meta.dir}/../../src/main.ts`
const FULL = 'no space left on device'

describe.skipIf(!CAN_MOUNT)(`a spool on a disk of its own (${NEEDS_MOUNT})`, () => {
  let disk: Disk
  let server: ReturnType<typeof Bun.serve> | null
  let port: number
  const taken: string[] = []

  function listen(): void {
    const fetch = (request: Request) => {
      taken.push(new URL(request.url).pathname)
      return new Response('OK')
    }
    server = Bun.serve({ port, hostname: '127.0.0.1', fetch })
    port = server.port ?? 0
  }

  async function hangUp(): Promise<void> {
    await server?.stop(true)
    server = null
  }

  beforeEach(async () => {
    disk = smallDisk('64k')
    port = 0
    listen()
    await hangUp()
    taken.splice(0)
  })
  afterEach(async () => {
    await hangUp()
    disk.remove()
  })

  async function overdueRun(...words: readonly string[]) {
    const env = environment({
      OVERDUE_URL: `http://127.0.0.1:${port}`,
      OVERDUE_PING_KEY: 'pkey',
      OVERDUE_SPOOL: disk.file('spool'),
    })
    const child = Bun.spawn([process.execPath, MAIN, 'run', ...words], { env, stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    return { status: await child.exited, out, err }
  }
  const job = () => overdueRun('--check', 'nightly', '--', 'sh', '-c', 'echo done; exit 7')
  const lost = (why: string) =>
    `overdue run: the ping is lost (connection refused), because it can't be kept in ${disk.file('spool')}: ${why}\n`

  function fill(): void {
    try {
      writeFileSync(disk.file('filler'), new Uint8Array(100_000))
    } catch {
      // It is full.
    }
  }

  test('that is full loses the ping only, and leaves nothing half written', async () => {
    await job()
    const before = readdirSync(disk.file('spool'))
    fill()
    expect(await job()).toEqual({ status: 7, out: 'done\n', err: lost(FULL) })
    expect(readdirSync(disk.file('spool'))).toEqual(before)
  })

  test('that is full is emptied once the server is back', async () => {
    await job()
    fill()
    listen()
    expect(await overdueRun('--flush')).toEqual({ status: 0, out: '2 delivered, 0 left.\n', err: '' })
    expect(taken).toEqual(['/ping/pkey/nightly/start', '/ping/pkey/nightly/7'])
    rmSync(disk.file('filler'))
  })

  test('that is read-only keeps no ping from a server that is there', async () => {
    await job()
    disk.makeReadOnly()
    listen()
    const { status, out, err } = await job()
    disk.makeWritable()
    expect({ status, out }).toEqual({ status: 7, out: 'done\n' })
    expect(err).toBe(`overdue run: the spool ${disk.file('spool')} can't be used: read-only file system\n`)
    expect(taken).toEqual(['/ping/pkey/nightly/start', '/ping/pkey/nightly/7'])
  })

  test('that is read-only loses the ping of a server that is away', async () => {
    disk.makeReadOnly()
    const ended = await job()
    disk.makeWritable()
    expect(ended).toEqual({ status: 7, out: 'done\n', err: lost('read-only file system') })
  })
})
