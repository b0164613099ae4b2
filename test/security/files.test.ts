/** Keys and secrets that other users of the machine can see: in files and in the list of processes. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../support/command-line.ts'
import { type Folder, temporaryFolder } from '../support/folder.ts'
import { type Served, serve } from '../support/served.ts'

const SECRET_KEY = 'a secret of the operator 0123456789'
const METRICS_KEY = 'metrics-key-0123456789'

let server: Served
let folder: Folder
let umask: number
beforeAll(async () => {
  // The most open umask that a shell can have; a child inherits it.
  umask = process.umask(0)
  folder = temporaryFolder()
  server = await serve({ DATABASE_URL: `sqlite:${folder.file('data/o.db')}`, SECRET_KEY, METRICS_KEY })
})
afterAll(async () => {
  await server.stop()
  folder.remove()
  process.umask(umask)
})

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('only this user can read the database, the files beside it, and the folder that is created for them', async () => {
  const data = folder.file('data')
  expect(mode(data)).toBe('700')
  const names = readdirSync(data).sort()
  expect(names).toEqual(['o.db', 'o.db-shm', 'o.db-wal'])
  for (const name of names) expect([name, mode(join(data, name))]).toEqual([name, '600'])
})

describe.skipIf(process.platform !== 'linux')('the list of processes', () => {
  test('shows neither settings nor keys of a server', () => {
    const words = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')
      .split('\0')
      .filter((word) => word !== '')
    expect(words.slice(1)).toEqual(['src/main.ts', 'serve'])
    expect(readFileSync(`/proc/${server.pid}/comm`, 'utf8')).not.toContain(METRICS_KEY)
  })
})

test('commands print keys only when they create them', async () => {
  const settings = { DATABASE_URL: `sqlite:${folder.file('data/o.db')}`, SECRET_KEY, METRICS_KEY }
  const made = await run(['project', 'create', 'P', '--json'], settings)
  const keys = Object.entries(JSON.parse(made.out) as Record<string, string>).filter(([name]) => /key/.test(name))
  expect(keys.length).toBeGreaterThanOrEqual(3)
  const token = 'token0of1a2hook3T00000000'
  const hook = JSON.stringify(`https://hooks.example.org/${token}`)
  const channel = ['--project', 'P', '--kind', 'slack', '--name', 'Ops', '--settings', hook]
  const told: string[] = []
  for (const words of [
    ['channel', 'create', ...channel],
    ['channel', 'list', '--project', 'P'],
    ['delivery', 'list', '--project', 'P'],
    ['project', 'list'],
    ['key', 'list', 'P'],
    ['check-config'],
  ]) {
    const { code, out, err } = await run([...words, '--json'], settings)
    expect([words, code]).toEqual([words, 0])
    told.push(out, err)
  }
  for (const secret of [...keys.map(([, key]) => key), token, SECRET_KEY, METRICS_KEY]) {
    expect(told.join()).not.toContain(secret)
  }
})
