/** The commands run in shells, and ping a server on this machine. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Pinging, pingingCommand, understandsPings } from '../../../src/import/proposals/ping-lines.ts'

const ID = '6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1'
const STATUS = { by: 'curl', hasStart: true, hasOutput: false } as const
const OUTPUT = { by: 'curl', hasStart: true, hasOutput: true } as const
let asked: string[] = []
let bodies: string[] = []
let server: ReturnType<typeof Bun.serve>
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      asked.push(new URL(request.url).pathname)
      bodies.push(await request.text())
      return new Response('OK')
    },
  })
})
afterAll(() => server.stop(true))
beforeEach(() => {
  asked = []
  bodies = []
})

async function run(command: string, shell = '/bin/sh', input = '', pinging: Pinging = STATUS) {
  const line = pingingCommand(`http://127.0.0.1:${server.port}/ping/${ID}`, command, shell, pinging)
  const child = Bun.spawn([shell, '-c', line], { stdin: Buffer.from(input), stdout: 'pipe', stderr: 'pipe' })
  const out = await child.stdout.text()
  return { code: await child.exited, out }
}

const COMMANDS = [
  ['true', 0, ''],
  ['false', 1, ''],
  ['exit 7', 7, ''],
  ['echo one; exit 3 # with a comment', 3, 'one\n'],
  ["printf '%s' \"it's\"", 0, "it's"],
  ['echo a | cat', 0, 'a\n'],
  ['cat', 0, 'input'],
  ['echo out > /dev/null', 0, ''],
  ['echo out 2>&1', 0, 'out\n'],
  ['exec false', 1, ''],
  ['A=1 B=2; echo $A$B', 0, '12\n'],
  ['kill -9 $$', 137, ''],
  ['(exit 4)', 4, ''],
  ['! true', 1, ''],
  ['/nonexistent', 127, ''],
  ['s=5; false', 1, ''],
  ['trap "exit 6" EXIT; true', 6, ''],
] as const

test.each(COMMANDS)(
  '%p keeps its exit status, output and input, and the pings tell both ends',
  async (command, code, out) => {
    expect(await run(command, '/bin/sh', 'input')).toEqual({ code, out })
    expect(asked).toEqual([`/ping/${ID}/start`, `/ping/${ID}/${code}`])
  },
)

const SHELLS = ['sh', 'dash', 'bash', 'zsh', 'ksh'].flatMap((name) => Bun.which(name) ?? [])

test.each(SHELLS)('in %s the last ping brings the output too, which is printed as before', async (shell) => {
  for (const [command, code, out] of COMMANDS) {
    asked = []
    bodies = []
    const ran = await run(command, shell, 'input', OUTPUT)
    expect([command, ran.code]).toEqual([command, code])
    if (code !== 127 && code !== 137) expect(ran.out).toBe(out)
    expect(asked).toEqual([`/ping/${ID}/start`, `/ping/${ID}/${code}`])
    expect(bodies).toEqual(['', ran.out])
  }
})

test('a long output comes with its end, and what goes to standard error comes too', async () => {
  const { code, out } = await run('seq 1 20000; echo gone >&2; exit 3', '/bin/sh', '', OUTPUT)
  expect(code).toBe(3)
  expect(out).toStartWith('1\n2\n')
  expect(bodies[1]).toHaveLength(10_000)
  expect(bodies[1]).toEndWith('19999\n20000\ngone\n')
})

test('without its start, only the end of a job is told', async () => {
  await run('true', '/bin/sh', '', { by: 'curl', hasStart: false, hasOutput: true })
  expect(asked).toEqual([`/ping/${ID}/0`])
})

test('the job runs where no temporary file can be made', async () => {
  const line = pingingCommand(`http://127.0.0.1:${server.port}/ping/${ID}`, 'exit 4', '/bin/sh', OUTPUT)
  const child = Bun.spawn(['sh', '-c', line], {
    env: { ...Bun.env, TMPDIR: '/nonexistent' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await child.exited).toBe(4)
  expect(asked).toEqual([`/ping/${ID}/start`, `/ping/${ID}/4`])
})

test('the file of the output is gone when the job has ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overdue-ping-lines-'))
  const line = pingingCommand(`http://127.0.0.1:${server.port}/ping/${ID}`, 'echo x', '/bin/sh', OUTPUT)
  const child = Bun.spawn(['sh', '-c', line], { env: { ...Bun.env, TMPDIR: folder }, stdout: 'pipe', stderr: 'pipe' })
  expect(await child.exited).toBe(0)
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

test.skipIf(Bun.which('bash') === null)('a command for bash runs in bash', async () => {
  const command = 'x=(a b); [[ $' + '{x[1]} == b ]] && echo yes'
  expect(await run(command, '/bin/bash')).toEqual({ code: 0, out: 'yes\n' })
})

test('the job runs, and keeps its exit status, while no server answers', async () => {
  const line = pingingCommand(`http://127.0.0.1:1/ping/${ID}`, 'exit 5', '/bin/sh', STATUS).replace(
    '--retry 3',
    '--retry 0',
  )
  const child = Bun.spawn(['sh', '-c', line], { stdout: 'pipe', stderr: 'pipe' })
  expect(await child.exited).toBe(5)
})

test('no URL is read by the shell', () => {
  const line = pingingCommand("https://example.org/a'b$(x)/y", 'true', '/bin/sh', STATUS)
  expect(line).toContain("'https://example.org/a'\\''b$(x)/y/start'")
})

test('pings are written for shells of the Bourne family', () => {
  expect(['/bin/sh', 'bash', '/usr/bin/zsh'].map(understandsPings)).toEqual([true, true, true])
  expect(['/usr/bin/fish', '/usr/bin/python3', '/bin/tcsh', ''].map(understandsPings)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
