/** The commands run in shells, and ping a server on this machine. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { pingingCommand, understandsPings } from '../../../src/import/proposals/ping-lines.ts'

const ID = '6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1'
let asked: string[] = []
let server: ReturnType<typeof Bun.serve>
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      asked.push(new URL(request.url).pathname)
      return new Response('OK')
    },
  })
})
afterAll(() => server.stop(true))
beforeEach(() => {
  asked = []
})

async function run(command: string, shell = '/bin/sh', input = '') {
  const line = pingingCommand(`http://127.0.0.1:${server.port}/ping/${ID}`, command, shell)
  const child = Bun.spawn([shell, '-c', line], { stdin: Buffer.from(input), stdout: 'pipe', stderr: 'pipe' })
  const out = await child.stdout.text()
  return { code: await child.exited, out }
}

test.each([
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
] as const)('%p keeps its exit status, output and input, and the pings tell both ends', async (command, code, out) => {
  expect(await run(command, '/bin/sh', 'input')).toEqual({ code, out })
  expect(asked).toEqual([`/ping/${ID}/start`, `/ping/${ID}/${code}`])
})

test.skipIf(Bun.which('bash') === null)('a command for bash runs in bash', async () => {
  const command = 'x=(a b); [[ $' + '{x[1]} == b ]] && echo yes'
  expect(await run(command, '/bin/bash')).toEqual({ code: 0, out: 'yes\n' })
})

test('the job runs, and keeps its exit status, while no server answers', async () => {
  const line = pingingCommand(`http://127.0.0.1:1/ping/${ID}`, 'exit 5', '/bin/sh').replace('--retry 3', '--retry 0')
  const child = Bun.spawn(['sh', '-c', line], { stdout: 'pipe', stderr: 'pipe' })
  expect(await child.exited).toBe(5)
})

test('no URL is read by the shell', () => {
  const line = pingingCommand("https://example.org/a'b$(x)/y", 'true', '/bin/sh')
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
