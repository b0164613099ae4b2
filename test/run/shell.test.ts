/** The behaviour of `overdue-run` with a job. `test-slow/run/shell.test.ts` runs it in other shells and with other clients. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, openBench, UUID } from '../support/shell-run.ts'

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

test('a run tells its start, its output and its exit status, and the job is as without it', async () => {
  const run = await bench.run(sh('cat; echo wrong >&2; exit 7'), { stdin: 'right\n' })
  expect(run).toEqual({ status: 7, stdout: 'right\n', stderr: 'wrong\n' })
  const [start, end, ...more] = bench.pings()
  expect([start?.path, end?.path, more]).toEqual([`/ping/${UUID}/start`, `/ping/${UUID}/7`, []])
  expect(start?.query.get('rid')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(end?.query.get('rid')).toBe(start?.query.get('rid') ?? '')
  expect(start?.body).toBe('')
  expect(end?.body.split('\n').toSorted()).toEqual(['', 'right', 'wrong'])
  expect(readdirSync(bench.folder)).toEqual(['overdue-run'])
})

test('words of the command and of the schedule arrive as they are', async () => {
  const words = ['', 'two words', '*', '-n', '--', "it's", '"$HOME"', 'a\nb', '\\', '%s', '`id`', 'é']
  const options = ['--check', 'a', '--check=b_2', '--create', "*/5 * * * & 'x\n#", '--tz', 'Europe/Riga', '--grace=1 h']
  const { stdout } = await bench.run(['printf', '<%s>', ...words], { options, env: { OVERDUE_PING_KEY: 'the-key' } })
  expect(stdout).toBe(words.map((word) => `<${word}>`).join(''))
  const pings = bench.pings()
  expect(pings.map(({ path }) => path).toSorted()).toEqual(
    ['a/0', 'a/start', 'b_2/0', 'b_2/start'].map((path) => `/ping/the-key/${path}`),
  )
  for (const { query } of pings) {
    const { rid: _, ...create } = Object.fromEntries(query)
    expect(create).toEqual({ create: '1', schedule: "*/5 * * * & 'x\n#", tz: 'Europe/Riga', grace: '1 h' })
  }
})

test('of a long output its beginning and its end are sent, and all of it is passed on', async () => {
  const { stdout } = await bench.run(sh('echo first; head -c 300000 /dev/zero | tr "\\0" x; echo; echo last'))
  expect(stdout).toHaveLength(300_012)
  const body = bench.pings().at(-1)?.body ?? ''
  expect(body).toMatch(/^first\nx+\n\[overdue-run: left out here\]\nx+\nlast\n$/)
  expect(body.length).toBeLessThanOrEqual(10_000)
})

test('a signal is passed on, and the end is told', async () => {
  const ready = join(bench.folder, 'ready')
  const job = `trap 'echo asked; kill $!; exit 9' TERM; sleep 30 & echo ready; : >${ready}; wait`
  const { status, stdout } = await bench.run(sh(job), {
    during: async (wrapper) => {
      while (!existsSync(ready)) await Bun.sleep(5)
      wrapper.kill('SIGTERM')
    },
  })
  expect([status, stdout]).toEqual([9, 'ready\nasked\n'])
  expect(bench.pings().map(({ path }) => path)).toEqual([`/ping/${UUID}/start`, `/ping/${UUID}/9`])
})

test('a ping that is refused is not repeated, one that fails is, and neither changes the job', async () => {
  bench.answerWith(() => new Response('not found', { status: 404 }))
  const refused = await bench.run(sh('exit 3'))
  expect(refused.status).toBe(3)
  expect(refused.stderr).toMatch(/^(overdue-run: a ping did not arrive: .*404.*\n){2}$/)
  expect(bench.pings()).toHaveLength(2)
  bench.answerWith(() => new Response('busy', { status: 503 }))
  expect((await bench.run(sh('exit 4'))).status).toBe(4)
  expect(bench.pings()).toHaveLength(4)
})

test('what cannot be sent does not keep the command from running', async () => {
  const job = ['sh', '-c', 'echo done']
  const noRoom = await bench.run(job, { env: { TMPDIR: '/missing' } })
  expect(noRoom).toMatchObject({ status: 0, stdout: 'done\n' })
  expect(noRoom.stderr).toContain('the output is not sent')
  expect(bench.pings().map(({ path }) => path)).toEqual([`/ping/${UUID}/start`, `/ping/${UUID}/0`])
  const nameless = await bench.run(job, { options: [] })
  expect([nameless.stdout, nameless.stderr]).toEqual(['done\n', expect.stringContaining('name a check with --check')])
  const keyless = await bench.run(job, { options: ['--check', 'slug'] })
  expect([keyless.stdout, keyless.stderr]).toEqual(['done\n', expect.stringContaining('set OVERDUE_PING_KEY')])
  expect(bench.pings()).toEqual([])
})

test.each([
  [['--check'], '--check needs a value'],
  [['--chek', 'x'], 'unexpected word "--chek"'],
  [['--check', 'two words'], '--check takes a slug, a UUID or a ping URL'],
  [['--tz', 'UTC'], '--tz and --grace need --create'],
])('%p is a mistake with which no command runs', async (options, words) => {
  const { status, stdout, stderr } = await bench.run(['echo', 'done'], { options })
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(words)])
})
