/** `overdue-run` in each shell and with each client, with servers that are well, away, silent and broken. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, openBench, TOOLS, UUID } from '../../test/support/shell-run.ts'
import { eventually } from '../support/eventually.ts'
import { STATUSES } from './statuses.ts'

const SHELLS = ['dash', 'bash', 'busybox sh'].filter((shell) => Bun.which(shell.split(' ')[0] ?? '') !== null)
const CLIENTS = ['curl', 'wget'].filter((client) => Bun.which(client) !== null)
const EACH = SHELLS.flatMap((shell) => CLIENTS.map((client) => [shell, client] as const))

let bench: Bench
beforeAll(() => {
  bench = openBench()
})
beforeEach(() => {
  bench.pings()
  bench.answerWith(() => new Response('OK'))
})
afterAll(() => bench.close())

const sh = (text: string) => ['sh', '-c', text]
/** Returns the path of a file that does not exist yet. */
const newFile = () => join(mkdtempSync(join(bench.folder, 'new-')), 'file')
const paths = () => bench.pings().map(({ path }) => path.replace(`/ping/${UUID}/`, ''))

describe.each(EACH)('%s with %s', (shell, client) => {
  const words = shell.split(' ')
  const own = () => ({
    shell: [Bun.which(words[0] ?? '') ?? '', ...words.slice(1)],
    env: { PATH: bench.pathOf([...TOOLS, client]) },
  })
  /** The shell, with a program `mkfifo` that runs these commands, too. The script is its parent. */
  const withMkfifo = (commands: string) => {
    const PATH = bench.pathOf([...TOOLS.filter((tool) => tool !== 'mkfifo'), client])
    const text = `#!/bin/sh\n${Bun.which('mkfifo')} "$@"\n${commands}\n`
    writeFileSync(join(PATH, 'mkfifo'), text, { mode: 0o755 })
    return { ...own(), env: { PATH } }
  }

  test('tells the start, the output and the status, and passes on what the job reads and writes', async () => {
    const run = await bench.run(sh('cat; echo wrong >&2; exit 7'), { ...own(), stdin: 'right\0ü\n' })
    expect(run).toEqual({ status: 7, stdout: 'right\0ü\n', stderr: 'wrong\n' })
    const [start, end] = bench.pings()
    expect([start?.path, end?.path]).toEqual([`/ping/${UUID}/start`, `/ping/${UUID}/7`])
    expect(end?.body.split('\n').toSorted()).toEqual(['', 'right\0ü', 'wrong'])
  })

  test('keeps exit statuses, and says that a signal ended the job as shells do', async () => {
    for (const status of [0, 1, 126, 127, 128, 143, 255]) {
      expect((await bench.run(sh(`exit ${status}`), own())).status).toBe(status)
      expect(paths()).toEqual(['start', `${status}`])
    }
    expect(await bench.run(sh('kill -KILL $$'), own())).toEqual({ status: 137, stdout: '', stderr: '' })
    expect((await bench.run(['/missing/command'], own())).status).toBe(127)
  })

  test('passes signals on, and the end is told', async () => {
    for (const [signal, passed] of [
      ['SIGTERM', 'TERM'],
      ['SIGHUP', 'HUP'],
      ['SIGINT', 'TERM'],
    ] as const) {
      const ready = newFile()
      const job = `trap 'echo asked; kill $!; exit 9' ${passed}; sleep 30 & echo ready; : >${ready}; wait`
      const { status, stdout } = await bench.run(sh(job), {
        ...own(),
        during: async (wrapper) => {
          await eventually('the job is ready', () => existsSync(ready))
          wrapper.kill(signal)
        },
      })
      expect([signal, status, stdout, paths()]).toEqual([signal, 9, 'ready\nasked\n', ['start', '9']])
    }
  })

  test('a signal that comes before the command ends the run', async () => {
    const run = await bench.run(sh('echo ran'), withMkfifo('kill -TERM $PPID'))
    expect(run).toEqual({ status: 143, stdout: '', stderr: '' })
    expect(paths()).toEqual(['start', '143'])
  })

  test('the command runs also if pings and other processes end while it is started', async () => {
    const ends = 'n=0; while [ $n -lt 30000 ] && kill -s CHLD $PPID; do n=$((n+1)); done'
    for (let time = 0; time < 10; time += 1) {
      const run = await bench.run(sh('echo ran; exit 127'), withMkfifo(`(${ends}) >/dev/null 2>&1 &`))
      expect(run).toEqual({ status: 127, stdout: 'ran\n', stderr: '' })
    }
  })

  test('tries again when the server is busy, and not when it refuses', async () => {
    const left = [500, 503]
    bench.answerWith(({ path }) =>
      path.endsWith('/start') ? new Response('OK') : new Response('busy', { status: left.shift() ?? 404 }),
    )
    const { status, stderr } = await bench.run(sh('exit 3'), own())
    expect([status, stderr]).toEqual([3, expect.stringMatching(/^overdue-run: a ping did not arrive: .*404.*\n$/)])
    expect(paths()).toEqual(['start', '3', '3', '3'])
  })

  test('a server that is silent or away keeps the job for about 20 seconds at most', async () => {
    const began = performance.now()
    bench.answerWith(() => new Promise(() => {}))
    expect((await bench.run(sh('exit 5'), own())).status).toBe(5)
    const env = { ...own().env, OVERDUE_URL: 'http://127.0.0.1:9' }
    const silent = performance.now() - began
    expect(silent).toBeLessThan(25_000)
    expect((await bench.run(sh('exit 6'), { ...own(), env })).status).toBe(6)
    expect(performance.now() - began - silent).toBeLessThan(10_000)
  })

  test('does not wait for what the job leaves in the background, which can write on', async () => {
    const ended = newFile()
    const left = `while [ -d ${bench.folder} ] && [ ! -e ${ended} ]; do sleep 0.1; done; head -c 300000 /dev/zero`
    const run = await bench.run(sh(`echo begun; (${left}) & exit 0`), {
      ...own(),
      during: async (wrapper) => {
        expect(await wrapper.exited).toBe(0)
        writeFileSync(ended, '')
      },
    })
    expect(run.stdout).toHaveLength('begun\n'.length + 300_000)
    expect(bench.pings().at(-1)?.body).toBe('begun\n')
  })
})

test('each exit status is that of the command, and is told', async () => {
  for (const status of STATUSES) {
    const run = await bench.run(sh(`exit ${status}`))
    expect([run.status, bench.pings().at(-1)?.path]).toEqual([status, `/ping/${UUID}/${status}`])
  }
})

test.skipIf(!CLIENTS.includes('curl'))('no other user sees the ping key in the list of processes', async () => {
  const seen: string[] = []
  bench.answerWith(async () => {
    seen.push(await new Response(Bun.spawn(['ps', '-eo', 'args']).stdout).text())
    return new Response('OK')
  })
  const key = 'k'.repeat(22)
  for (const client of CLIENTS) {
    const env = { PATH: bench.pathOf([...TOOLS, client]), OVERDUE_PING_KEY: key }
    await bench.run(sh('true'), { shell: [Bun.which('sh') ?? ''], options: ['--check', 'backup'], env })
  }
  expect(seen).toHaveLength(2 * CLIENTS.length)
  for (const list of seen) expect(list).not.toContain(key)
})

test.skipIf(Bun.which('busybox') === null)('the wget of BusyBox sends pings, too', async () => {
  const folder = bench.pathOf(TOOLS)
  await Bun.write(`${folder}/wget`, '#!/bin/sh\nexec busybox wget "$@"\n')
  Bun.spawnSync(['chmod', '+x', `${folder}/wget`])
  const env = { PATH: `${folder}:${bench.pathOf(['busybox'])}` }
  const run = await bench.run(sh('echo out; exit 7'), { shell: [Bun.which('sh') ?? ''], env })
  expect(run).toEqual({ status: 7, stdout: 'out\n', stderr: '' })
  expect(paths()).toEqual(['start', '7'])
})
