import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run as runOn } from '../support/command-line.ts'

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
  ])('is not created by %j, which names its path', async (words) => {
    const path = join(folder, 'sub', 'o.db')
    const { code, out, err } = await run(path, ...words)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toStartWith(`there is no database at ${path}\n→ `)
    expect(existsSync(join(folder, 'sub'))).toBe(false)
  })

  test('is one of 0 bytes too, which stays as it is', async () => {
    const path = join(folder, 'o.db')
    writeFileSync(path, '')
    const { code, out, err } = await run(path, 'project', 'list')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toStartWith(`there is no database at ${path}\n→ `)
    expect(statSync(path).size).toBe(0)
  })

  test.each([[['migrate']], [['project', 'create', 'First']]])(
    'is created by %j, readable by this user only',
    async (words) => {
      const path = join(folder, 'sub', 'o.db')
      expect((await run(path, ...words)).code).toBe(0)
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(statSync(join(folder, 'sub')).mode & 0o777).toBe(0o700)
    },
  )
})

test('every command says that DATABASE_URL is a folder, and creates nothing', async () => {
  const copy = join(folder, 'b.db')
  const commands = [['serve'], ['migrate'], ['project', 'list'], ['backup', copy], ['restore', import.meta.path]]
  for (const words of commands) {
    expect(await run(folder, ...words)).toEqual({
      code: 1,
      out: '',
      err: `cannot use the database ${folder}: DATABASE_URL points to a folder\n→ set DATABASE_URL to a file: sqlite:${join(folder, 'overdue.db')}\n`,
    })
  }
  expect(readdirSync(folder)).toEqual([])
})

test('a database in a folder that cannot be used is told what to check, once', async () => {
  const path = join(folder, 'file', 'o.db')
  writeFileSync(join(folder, 'file'), '')
  const { code, err } = await run(path, 'migrate', '--json')
  expect(code).toBe(1)
  const { error, ...facts } = JSON.parse(err)
  expect(error).toStartWith(`cannot use the database ${path}: `)
  expect(facts).toEqual({
    code: 'database-unusable',
    hint: 'the database file cannot be opened: check that its folder exists and is writable, and that this user may read and write the file',
    path,
  })
})
