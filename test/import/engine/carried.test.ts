/** A source that another process reads arrives complete, in messages of bounded size. */
import { afterAll, describe, expect, test } from 'bun:test'
import { newCheck } from '../../../src/domain/check/check.ts'
import type { ImportedCheck, ImportedProject, ImportSource } from '../../../src/domain/import/import-source.ts'
import { carriedSource, type Question, SourceTeller } from '../../../src/import/engine/carried.ts'
import { aSilence } from '../../support/builders.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { openFixture, readAll, sqliteFixture } from '../../support/healthchecks/fixture.ts'
import { aPing } from '../../support/imports.ts'
import { bytes, NOON } from '../../support/store-builders.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** Transfers the source as from another process. @param sizes gets the approximate number of bytes of each answer */
function carried(source: ImportSource, sizes: number[] = []): Promise<ImportSource> {
  const teller = new SourceTeller(source)
  const ask = async (question: Question) => {
    const answer = structuredClone(await teller.answer(structuredClone(question)))
    sizes.push(JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? Number(value) : value))?.length ?? 0)
    return answer
  }
  return carriedSource(ask, () => source.close())
}

function aCheck(over: Partial<ImportedCheck> = {}): ImportedCheck {
  const made = { id: crypto.randomUUID(), projectId: '', badgeKey: '', publicId: '', createdAt: NOON }
  const { projectId: _, ...check } = newCheck(made)
  return { ...check, channelIds: [], ...over }
}

function aSource(over: Partial<ImportSource>, project: Partial<ImportedProject> = {}): ImportSource {
  const whole: ImportedProject = {
    ...{ id: crypto.randomUUID(), name: 'P', badgeKey: 'b', pingLogLimit: 100, createdAt: NOON, isSearched: true },
    ...{
      slug: null,
      tz: null,
      members: [],
      keys: [],
      checks: [],
      channels: [],
      silences: [],
      statusPage: null,
      secret: null,
      badges: [],
    },
    ...project,
  }
  return {
    kind: 'healthchecks',
    name: 'source',
    accounts: [],
    projects: [whole],
    notes: [],
    async *pings() {},
    async *flips() {},
    async *alerts() {},
    countPings: async () => 0,
    close: async () => {},
    ...over,
  }
}

describe('a source that is carried', () => {
  test('has everything that it had', async () => {
    const source = await openFixture({ sqlite: sqliteFixture(folder) })
    const there = await readAll(source)
    const here = await readAll(await carried(source))
    expect(here.comparable).toBe(there.comparable)
    expect(here.counts.pings).toBeGreaterThan(0)
    await source.close()
  })

  test('has its planned silences', async () => {
    const { projectId: _, createdBy: __, ...once } = aSilence()
    const again = { ...once, endsAt: null, window: { schedule: '22:00', tz: 'UTC', seconds: 60 } }
    const { projects } = await carried(aSource({}, { silences: [once, again] }))
    expect(projects[0]?.silences).toEqual([once, again])
  })

  test('comes in short messages, whatever its pages are', async () => {
    const check = aCheck()
    const pings = Array.from({ length: 2_000 }, (_, index) => aPing(check, index + 1, { ua: 'u'.repeat(10_000) }))
    const checks = Array.from({ length: 1_000 }, () => aCheck({ desc: 'd'.repeat(10_000) }))
    const source = aSource(
      {
        async *pings() {
          yield pings
        },
      },
      { checks: [check, ...checks] },
    )
    const sizes: number[] = []
    const here = await carried(source, sizes)
    const read = await Array.fromAsync(here.pings(check, 0))
    expect(read.flat()).toHaveLength(2_000)
    expect(here.projects[0]?.checks).toHaveLength(1_001)
    expect(Math.max(...sizes)).toBeLessThan(1_000_000)
  })

  test('ends the page that nobody reads to its end', async () => {
    const ended: string[] = []
    const check = aCheck()
    const source = aSource(
      {
        async *pings() {
          try {
            for (let n = 1; ; n++) yield [aPing(check, n, { body: bytes('x') })]
          } finally {
            ended.push('pings')
          }
        },
      },
      { checks: [check] },
    )
    for await (const [ping] of (await carried(source)).pings(check, 0)) {
      expect(ping).toEqual(aPing(check, 1, { body: bytes('x') }))
      break
    }
    expect(ended).toEqual(['pings'])
  })
})

describe('a source with more than pages take', () => {
  test.each<[string, Partial<ImportedProject>]>([
    ['5001 checks', { checks: Array.from({ length: 5_001 }, () => aCheck()) }],
    ['1001 members', { members: Array.from({ length: 1_001 }, () => ({ email: 'a@b.c', role: 'member' })) }],
    [
      '1001 keys',
      { keys: Array.from({ length: 1_001 }, () => ({ kind: 'ping', name: '', createdAt: NOON, text: 'k' })) },
    ],
  ])('is refused with its number: %s', (words, project) => {
    expect(() => new SourceTeller(aSource({}, project))).toThrow(`project "P" has ${words}, and pages import at most`)
  })

  test('is refused when its texts are too long together', () => {
    const desc = 'd'.repeat(1_000_000)
    const checks = Array.from({ length: 70 }, () => aCheck({ desc }))
    expect(() => new SourceTeller(aSource({}, { checks }))).toThrow('the texts of its projects have more than')
  })

  test('is refused when one text is too long', () => {
    const checks = [aCheck({ desc: 'd'.repeat(2_000_000) })]
    expect(() => new SourceTeller(aSource({}, { checks }))).toThrow('one of its checks or integrations has more than')
  })

  test('tells the first notes, and how many more there are', async () => {
    const note = { kind: 'changed', subject: 'check', name: 'n', project: null, reason: 'r', advice: null } as const
    const { notes } = await carried(aSource({ notes: Array.from({ length: 5_003 }, () => note) }))
    expect(notes).toHaveLength(5_001)
    expect(notes.at(-1)).toMatchObject({ reason: 'There are 3 more notes.' })
  })
})
