import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../src/domain/actor.ts'
import type { ImportSource } from '../../../src/domain/import/import-source.ts'
import { AdminImport } from '../../../src/import/engine/admin-import.ts'
import type { ImportPlace } from '../../../src/services/common/ports/import-places.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const ADMIN: Person = {
  kind: 'person',
  accountId: crypto.randomUUID(),
  email: 'ann@example.org',
  isAdministrator: true,
  address: null,
}
const PLACE: ImportPlace = { program: 'project', at: '/file', secret: null, apiKeys: [] }

let t: TestApp
let adminImport: AdminImport
/** Reads that have begun. The test ends them; they ignore the signal. */
let reads: PromiseWithResolvers<ImportSource>[]
/** names of closed or removed things */
let gone: string[]
beforeEach(async () => {
  t = await testApp()
  reads = []
  gone = []
  const open = () => {
    const read = Promise.withResolvers<ImportSource>()
    reads.push(read)
    return read.promise
  }
  adminImport = new AdminImport({ ...t.app.deps, importPlaces: { ...t.app.deps.importPlaces, open } })
})
afterEach(() => t.close())

const upload = (name: string) => ({ path: `/${name}`, remove: async () => void gone.push(name) })
const source = (name: string): ImportSource => ({
  kind: 'project-file',
  name,
  accounts: [],
  projects: [],
  notes: [],
  async *pings() {},
  async *flips() {},
  async *alerts() {},
  countPings: async () => 0,
  close: async () => void gone.push(name),
})
/** Waits a turn, in which everything continues that needs no answer from outside. */
const turn = () => new Promise((resolve) => setImmediate(resolve))
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn()
}

test('of two reads at once, one is refused', async () => {
  adminImport.read(ADMIN, PLACE, null)
  expect(() => adminImport.read(ADMIN, PLACE, null)).toThrow('another import is under way')
  await until(() => reads.length > 0)
  expect(reads).toHaveLength(1)
})

test('a read is discarded at once, and what it finds later is closed and not shown', async () => {
  adminImport.read(ADMIN, PLACE, upload('upload'))
  await until(() => reads.length === 1)
  await adminImport.discard(ADMIN)
  expect(adminImport.look(ADMIN)).toEqual({ kind: 'empty' })
  reads[0]?.resolve(source('source'))
  await until(() => gone.length === 2)
  expect(gone).toEqual(['source', 'upload'])
  expect(adminImport.look(ADMIN)).toEqual({ kind: 'empty' })
})

test('the next read begins when the discarded one has ended, and keeps its own file', async () => {
  adminImport.read(ADMIN, PLACE, upload('first'))
  await until(() => reads.length === 1)
  await adminImport.discard(ADMIN)
  adminImport.read(ADMIN, PLACE, upload('second'))
  await turn()
  expect(reads).toHaveLength(1)
  reads[0]?.reject(new Error('broken'))
  await until(() => reads.length === 2)
  expect(gone).toEqual(['first'])
  expect(adminImport.look(ADMIN)).toEqual({ kind: 'reading' })
  reads[1]?.resolve(source('source'))
  await until(() => adminImport.look(ADMIN).kind === 'read')
  await adminImport.discard(ADMIN)
  expect(gone).toEqual(['first', 'source', 'second'])
})
