/** The number of long reads that may run at once. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Refusal } from '../../../src/domain/errors.ts'
import { type LongReader, LongReads } from '../../../src/services/common/long-reads.ts'
import { createOwnProject } from '../../../src/services/projects/projects.ts'
import { rejection } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { accountOf, personAt } from '../accounts/people.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const longReads = (limit?: number) => new LongReads(t.app.deps.store, limit)
const projectOf = async (email: string, name: string) => {
  const { store } = t.app.deps
  const account = (await store.accounts.find(email)) ?? (await accountOf(t, { email, password: null }))
  return createOwnProject(t.app.deps, personAt(account), name)
}
/** Takes as many reads as it gets. */
async function take(reads: LongReads, reader: LongReader, atMost = Number.POSITIVE_INFINITY): Promise<number> {
  let taken = 0
  while (taken < atMost) {
    try {
      await reads.begin(reader)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'busy') break
      throw error
    }
    taken += 1
  }
  return taken
}

test('beyond the limit, long reads are refused until one has ended', async () => {
  const reads = longReads(2)
  const end = await reads.begin({ accountId: 'a' })
  await reads.begin({ accountId: 'b' })
  expect(await take(reads, { accountId: 'c' }, 1)).toBe(0)
  end()
  expect(await take(reads, { accountId: 'c' }, 1)).toBe(1)
})

test('one account leaves a quarter to others, through however many projects, keys and badges it reads', async () => {
  const reads = longReads()
  const [first, second] = [await projectOf('ann@example.org', 'One'), await projectOf('ann@example.org', 'Two')]
  const { id: accountId } = (await t.app.deps.store.accounts.find('ann@example.org')) ?? { id: '' }
  expect(await take(reads, { projectId: first.id }, 40)).toBe(40)
  expect(await take(reads, { projectId: second.id }, 30)).toBe(30)
  expect(await take(reads, { badgeKey: second.badgeKey })).toBe(5)
  expect(await take(reads, { accountId })).toBe(0)
  for (let n = 0; n < 25; n += 1) expect(await take(reads, { accountId: `${n}` }, 1)).toBe(1)
  expect(await take(reads, { accountId: 'late' })).toBe(0)
})

test('several accounts leave something to others, too', async () => {
  const reads = longReads()
  const greedy = []
  for (const accountId of ['a', 'b', 'c']) greedy.push(await take(reads, { accountId }))
  expect(greedy).toEqual([75, 19, 5])
  expect(await take(reads, { accountId: 'd' })).toBe(1)
})

test('a project that nobody owns counts for itself, by a key as by a badge', async () => {
  const reads = longReads()
  expect(await take(reads, { projectId: t.project.id }, 74)).toBe(74)
  expect(await take(reads, { badgeKey: t.project.badgeKey })).toBe(1)
  expect(await take(reads, { projectId: 'another' }, 1)).toBe(1)
})

test('work that fails frees its place', async () => {
  const reads = longReads(1)
  const failed = await rejection(reads.during({ accountId: 'a' }, () => Promise.reject(new Error('no'))))
  expect(String(failed)).toBe('Error: no')
  expect(await reads.during({ accountId: 'a' }, async () => 1)).toBe(1)
})
