/** A project is exported to a file and imported again, by commands. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { run } from '../../support/command-line.ts'
import { type Folder, folder } from '../support.ts'

let here: Folder
let there: Folder
beforeAll(async () => {
  here = folder()
  there = folder()
  await run(['project', 'create', 'Backups'], env(here))
  await run(['check', 'create', '--project', 'Backups', '--name', 'Grüße'], env(here))
  // The example of the import needs a database.
  await run(['project', 'create', 'Other'], env(there))
})
afterAll(() => {
  here.remove()
  there.remove()
})

const SECRET_KEY = 'the secret of both servers'
const env = ({ url }: Folder) => ({ DATABASE_URL: url, SECRET_KEY })
const path = (name: string) => `${here.path}/${name}`
const checks = async (of: Folder) =>
  JSON.parse((await run(['check', 'list', '--project', 'Backups', '--json'], env(of))).out)

describe('overdue project export', () => {
  test('writes a file that only this user may read, and says so', async () => {
    const { code, out } = await run(['project', 'export', 'Backups', '--output', path('a.json')], env(here))
    expect(code).toBe(0)
    expect(out).toContain(`${path('a.json')} contains the project Backups`)
    expect(statSync(path('a.json')).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(path('a.json'), 'utf8'))).toMatchObject({
      format: 'overdue-project',
      checks: [{ name: 'Grüße' }],
    })
  })

  test('writes the same on standard output', async () => {
    const { out } = await run(['project', 'export', 'Backups'], env(here))
    expect(out).toBe(readFileSync(path('a.json'), 'utf8'))
  })

  test('replaces no file', async () => {
    writeFileSync(path('b.json'), 'mine')
    const { code, err } = await run(['project', 'export', 'Backups', '--output', path('b.json')], env(here))
    expect([code, err]).toEqual([1, expect.stringContaining(`${path('b.json')} already exists`)])
    expect(readFileSync(path('b.json'), 'utf8')).toBe('mine')
  })

  test('leaves no file where it cannot write', async () => {
    const { code, err } = await run(['project', 'export', 'Backups', '--output', path('no/c.json')], env(here))
    expect([code, err]).toEqual([1, expect.stringContaining(`cannot write ${path('no/c.json')}`)])
  })
})

describe('overdue import project', () => {
  test('says what would happen, then does it', async () => {
    const asked = await run(['import', 'project', path('a.json')], env(there))
    expect([asked.code, asked.err]).toEqual([0, ''])
    expect((await run(['project', 'list'], env(there))).out).not.toContain('Backups')
    const done = await run(['import', 'project', path('a.json'), '--apply'], env(there))
    expect([done.code, done.err]).toEqual([0, ''])
    expect(await checks(there)).toEqual(await checks(here))
  })

  test('names the place of a mistake', async () => {
    writeFileSync(path('d.json'), readFileSync(path('a.json'), 'utf8').replace('"grace": 3600', '"grace": 1'))
    const { code, err } = await run(['import', 'project', path('d.json'), '--apply'], env(there))
    expect([code, err]).toEqual([1, expect.stringContaining('/checks/0/grace is too small (60 to 31536000)')])
  })

  test('warns of a file that others may read, and refuses one that is not there', async () => {
    writeFileSync(path('e.json'), readFileSync(path('a.json')), { mode: 0o644 })
    const { code, err } = await run(['import', 'project', path('e.json')], env(there))
    expect([code, err]).toEqual([0, expect.stringContaining('every user of this machine can read')])
    const missing = await run(['import', 'project', path('none.json')], env(there))
    expect([missing.code, missing.err]).toEqual([
      1,
      expect.stringContaining(`there is no file ${path('none.json')}\n→ `),
    ])
  })
})
