import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run as runOn } from './support.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'overdue-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const run = (path: string, ...words: string[]) => runOn(words, { DATABASE_URL: `sqlite:${path}` })

describe('a database that does not exist', () => {
  test.each([
    [['project', 'list']],
    [['key', 'list', 'Default']],
    [['channel', 'list', '--project', 'Default']],
    [['project', 'set', 'Default', '--ping-log-limit', '5']],
  ])('is not made by %j, which says where it looked', async (words) => {
    const path = join(folder, 'sub', 'o.db')
    const { code, out, err } = await run(path, ...words)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toStartWith(`there is no database at ${path}\n→ `)
    expect(existsSync(join(folder, 'sub'))).toBe(false)
  })

  test.each([[['migrate']], [['project', 'create', 'First']]])('is made by %j, for this user only', async (words) => {
    const path = join(folder, 'sub', 'o.db')
    expect((await run(path, ...words)).code).toBe(0)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'sub')).mode & 0o777).toBe(0o700)
  })
})

test('a DATABASE_URL that is a folder is told as that, by every command that uses it, and nothing is made', async () => {
  const copy = join(folder, 'b.db')
  const commands = [['serve'], ['migrate'], ['project', 'list'], ['backup', copy], ['restore', import.meta.path]]
  for (const words of commands) {
    expect(await run(folder, ...words)).toEqual({
      code: 1,
      out: '',
      err: `cannot use the database ${folder}: DATABASE_URL names a folder\n→ give a file: sqlite:${join(folder, 'overdue.db')}\n`,
    })
  }
  expect(readdirSync(folder)).toEqual([])
})
