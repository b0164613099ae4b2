/** `overdue-run` in each shell and with each client, with servers that are well, away, silent and broken. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Bench, openBench, TOOLS, UUID } from '../../test/support/shell-run.ts'
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
const paths = () => bench.pings().map(({ path }) => path.replace(`/ping/${UUID}/`, ''))

describe.each(EACH)('%s with %s', (shell, client) => {
  const words = shell.split(' ')
  const own = () => ({
    shell: [Bun.which(words[0] ?? '') ?? '', ...words.slice(1)],
    env: { PATH: bench.pathOf([...TOOLS, client]) },
  })

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
      bench.pings()
      const job = `trap 'echo asked; kill $!; exit 9' ${passed}; echo ready; sleep 30 & wait`
      const { status, stdout } = await bench.run(sh(job), {
        ...own(),
        during: async (wrapper) => {
          while (bench.pings().length === 0) await Bun.sleep(20)
          await Bun.sleep(500)
          wrapper.kill(signal)
        },
      })
      expect([signal, status, stdout, paths()]).toEqual([signal, 9, 'ready\nasked\n', ['9']])
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

  test('does not wait for what the job leaves in the background', async () => {
    let process_ = { exited: Promise.resolve(0) }
    const run = bench.run(sh('echo begun; sleep 8 & exit 0'), {
      ...own(),
      during: async (wrapper) => {
        process_ = wrapper
        const first = await Promise.race([wrapper.exited, Bun.sleep(6_000).then(() => 'late')])
        expect(first).toBe(0)
      },
    })
    await run
    await process_.exited
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
