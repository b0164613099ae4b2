import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isProjectSlug, PROJECT_SLUG_LIMIT, projectSlug } from '../../src/domain/project-slug.ts'
import { testRandom } from '../support/store-builders.ts'

const slugOf = (name: string) => projectSlug(name, (length) => new Uint8Array(length))

describe('the slug of a project', () => {
  test.each([
    ['Home lab', 'home-lab-aaaaaaaa'],
    ['  Über  uns! ', 'uber-uns-aaaaaaaa'],
    ['a_b__c', 'a-b--c-aaaaaaaa'],
    ['_', 'project-aaaaaaaa'],
    ['日本', 'project-aaaaaaaa'],
    ['🙂', 'project-aaaaaaaa'],
    [`${'x'.repeat(20)} y`, `${'x'.repeat(20)}-aaaaaaaa`],
    ['0123456789abcdef0123456789abcdef', '0123456789abcdef01234-aaaaaaaa'],
  ])('of %j is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  test('is drawn anew for each project, so that it tells nothing of others with its name', () => {
    const slugs = Array.from({ length: 100 }, () => projectSlug('Ops', testRandom.bytes))
    expect(new Set(slugs).size).toBe(100)
    expect(slugs.filter((slug) => !/^ops-[a-z0-9]{8}$/.test(slug))).toEqual([])
  })

  test('is a slug of its own whatever the names are', () => {
    const name = fc.oneof(
      fc.string({ maxLength: 200, unit: 'binary' }),
      fc.stringMatching(/^[a-f0-9]{28,34}$/),
      fc.stringMatching(/^[a-c_ -]{0,34}$/),
      fc.constantFrom('project', 'Project 2', 'project-2', '日本'),
    )
    fc.assert(
      fc.property(fc.array(name, { maxLength: 30 }), (names) => {
        const taken = new Set(names.map((name) => projectSlug(name, testRandom.bytes)))
        expect(taken.size).toBe(names.length)
        for (const slug of taken) {
          expect(slug.length).toBeLessThanOrEqual(PROJECT_SLUG_LIMIT)
          expect(slug).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
          expect(slug).not.toMatch(/^[0-9a-f]{32}$/)
          expect(isProjectSlug(slug)).toBe(true)
        }
      }),
    )
  })
})

describe('a text', () => {
  test.each(['', 'Ops', 'a_b', 'ä', 'a b', 'a/b', 'a\n', 'x'.repeat(31), '0123456789abcdef0123456789abcdef'])(
    'like %j is no slug',
    (text) => {
      expect(isProjectSlug(text)).toBe(false)
    },
  )
})
