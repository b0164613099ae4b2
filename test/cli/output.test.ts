import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { environment } from '../support/environment.ts'
import { temporaryFolder } from '../support/folder.ts'
import { FROM_SOURCE } from '../support/served.ts'

async function sh(command: string, settings: Readonly<Record<string, string>> = {}) {
  const program = FROM_SOURCE.command.join(' ')
  const child = Bun.spawn(['bash', '-c', `overdue() { ${program} "$@"; }; ${command}`], {
    cwd: FROM_SOURCE.cwd,
    env: environment(settings),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

test.skipIf(!existsSync('/dev/full'))(
  'an output that cannot be written is one line and exit status 1 (needs /dev/full)',
  async () => {
    expect(await sh('overdue version > /dev/full')).toEqual({
      code: 1,
      out: '',
      err: 'cannot write to standard output: no space left on device\n',
    })
  },
)

test('a reader that has enough is no error', async () => {
  const { code, out, err } = await sh('set -o pipefail; overdue completion bash | head -1')
  expect(out.split('\n')).toHaveLength(2)
  expect({ code, err }).toEqual({ code: 0, err: '' })
})

test('a reader that takes nothing is no error, and the command ends', async () => {
  const { code, err } = await sh('set -o pipefail; overdue completion bash | true')
  expect({ code, err }).toEqual({ code: 0, err: '' })
})

test('an export ends although its reader stops in the middle', async () => {
  const folder = temporaryFolder()
  const settings = { DATABASE_URL: `sqlite:${folder.file('o.db')}` }
  const large = `overdue check create --name Backup --desc "$(head -c 100000 /dev/zero | tr '\\0' x)"`
  const commands = `overdue migrate && overdue project create Home && ${large} --project Home`
  const { code, err } = await sh(
    `{ ${commands}; } > /dev/null && set -o pipefail && overdue project export Home | head -c 10`,
    settings,
  )
  folder.remove()
  expect({ code, err }).toEqual({ code: 0, err: '' })
})
