/** Arguments of `bun run demo`. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../../..')

async function demo(...words: readonly string[]) {
  const child = Bun.spawn([process.execPath, 'scripts/demo.ts', ...words], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, out, err }
}

test.each(['--help', '-h'])('%s prints the usage and starts nothing', async (word) => {
  const { code, out, err } = await demo(word)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toStartWith('usage: bun run demo\n')
  expect(out).not.toContain('Making a month of history')
})

test('an argument that it does not know is an error that quotes it', async () => {
  const { code, out, err } = await demo('--port', '80')
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toStartWith('the demo takes no argument "--port"\nusage: bun run demo\n')
})
