/** Lines with a wrapper run in shells. A wrapper that only runs the command replaces the real one. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pingingCommand } from '../../../src/import/proposals/ping-lines.ts'
import { SeededRandom } from '../../support/seeded-random.ts'

const URL = 'https://overdue.example.org/ping/6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1'
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overdue-wrapped-'))
  const wrapper = join(folder, 'overdue-run')
  await Bun.write(wrapper, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n')
  await chmod(wrapper, 0o755)
})
afterAll(() => rm(folder, { recursive: true }))

async function run(line: string) {
  const child = Bun.spawn(['/bin/sh', '-c', line], {
    cwd: folder,
    env: { ...Bun.env, WORD: 'a  b' },
    stdin: Buffer.from('in 1\nin 2\n'),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  // Error messages of a shell contain its own name and the line.
  return { out, hasErrors: err !== '', code: await child.exited }
}

const wrapped = (command: string) =>
  pingingCommand(URL, command, '/bin/sh', { by: 'overdue-run' }).replace('/usr/local/bin', folder)

const PIECES = [
  ...['echo', 'printf', '/bin/echo', 'cat', 'seq 3', 'false', 'exit 3', 'cd /', 'pwd', 'test -d /', 'A=1', '(', ')'],
  ...["'it'", '"a b"', '"$WORD"', '$WORD', '\\', '\\n', "\\'", '"\\""', '`echo x`', '$(echo y)', '~', '*', '#', '$$$'],
  ...[
    '|',
    '||',
    '&&',
    ';',
    '2>&1',
    '> /dev/null',
    '>&2',
    '< /dev/null',
    '!',
    '{',
    '}',
    '-n',
    '-e',
    '--',
    '%',
    '=',
    'é',
  ],
]

test('a wrapped line prints, and ends, as the bare line does', async () => {
  const random = new SeededRandom(56)
  const commands = Array.from({ length: 150 }, () =>
    Array.from({ length: 1 + random.integer(5) }, () => random.pick(PIECES))
      .join(' ')
      .replaceAll('$$$', '$#'),
  ).filter((command) => !/^[ -]/.test(command))
  for (const command of commands) {
    expect({ command, ...(await run(wrapped(command))) }).toEqual({ command, ...(await run(command)) })
  }
})
