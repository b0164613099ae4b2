import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isProjectSlug, PROJECT_SLUG_LIMIT, projectSlug } from '../../src/domain/project-slug.ts'

const slugOf = (name: string, ...taken: readonly string[]) => projectSlug(name, new Set(taken))

describe('the slug of a project', () => {
  test.each([
    ['Home lab', 'home-lab'],
    ['  Über  uns! ', 'uber-uns'],
    ['a_b__c', 'a-b--c'],
    ['_', 'project'],
    ['日本', 'project'],
    ['🙂', 'project'],
    [`${'x'.repeat(29)} y`, 'x'.repeat(29)],
    ['0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcd'],
  ])('of %j is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  test('is numbered when it is taken, with the first number that is free', () => {
    expect(slugOf('Ops', 'ops')).toBe('ops-2')
    expect(slugOf('Ops', 'ops', 'ops-2', 'ops-4')).toBe('ops-3')
    expect(slugOf('日本', 'project')).toBe('project-2')
  })

  test('is cut to make room for its number', () => {
    const long = 'x'.repeat(30)
    expect(slugOf(long, long)).toBe(`${'x'.repeat(28)}-2`)
    expect(slugOf(`${'x'.repeat(27)} yy`, `${'x'.repeat(27)}-yy`)).toBe(`${'x'.repeat(27)}-2`)
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
        const taken = new Set<string>()
        for (const name of names) taken.add(projectSlug(name, taken))
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
