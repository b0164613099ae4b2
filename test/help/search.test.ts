import { describe, expect, test } from 'bun:test'
import { type HelpHit, searchHelp, wordsOf } from '../../src/help/search.ts'
import { EventLoopBudget } from '../../src/lib/work/event-loop-budget.ts'

const budget = new EventLoopBudget(4)
const search = (query: string) => searchHelp(query, budget)
const wordsIn = ({ document, section, excerpt }: HelpHit) =>
  [document.title, section.title, ...excerpt.map(({ text }) => text)].join(' ').toLowerCase()

describe('a search in the documents', () => {
  test('finds the section whose heading has the words first', async () => {
    const [first] = await search('how much a log holds')
    expect([first?.document.name, first?.section.anchor]).toEqual(['operate', 'how-much-a-log-holds'])
  })

  test('finds beginnings of words, in any case', async () => {
    const [hits, others] = [await search('TRUSTED_PROX'), await search('trusted_prox')]
    expect(hits.length).toBeGreaterThan(1)
    expect(hits).toEqual(others)
    expect(hits[0]?.excerpt.find(({ isHit }) => isHit)?.text.toLowerCase()).toBe('trusted_prox')
  })

  test('finds only what has every word', async () => {
    const [one, both] = [await search('balancer'), await search('balancer backup')]
    expect(one.length).toBeGreaterThan(both.length)
    expect(await search('balancer zzzunknown')).toEqual([])
  })

  test('shows the first word with what is around it, and marks each', async () => {
    const [hit] = await search('retention')
    const text = hit?.excerpt.map((part) => part.text).join('') ?? ''
    expect(text.length).toBeLessThan(260)
    expect(hit && wordsIn(hit)).toContain('retention')
  })

  test('shows the sentence with the words, not the beginning of the section', async () => {
    const hits = await search('second factor lost both')
    const [hit] = hits.filter(({ section }) => section.anchor === 'a-second-factor')
    const text = hit?.excerpt.map((part) => part.text).join('') ?? ''
    expect(text).toContain('If a user has lost both the app and the recovery codes')
    const [first] = await search('how much a log holds')
    const parts = first?.excerpt ?? []
    expect(parts.filter(({ isHit }) => isHit).map((part) => part.text.toLowerCase())).toContain('log')
  })

  test('of nothing, of signs, and of endless text ends at once', async () => {
    expect([await search(''), await search(' ?! '), await search('\u0000')]).toEqual([[], [], []])
    expect(await search('ab '.repeat(10_000))).toEqual(await search('ab'))
  })
})

test('the words of a search are bounded, and each counts once', () => {
  expect(wordsOf('Grace grace TIME, time-zone')).toEqual(['grace', 'time', 'zone'])
  expect(wordsOf(Array.from({ length: 50 }, (_, index) => `w${index}`).join(' '))).toHaveLength(10)
})
