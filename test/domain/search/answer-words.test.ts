/** Texts below the hits of a search. */
import { expect, test } from 'bun:test'
import { nothingFound, progressSentences } from '../../../src/domain/search/answer-words.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { after, NOON } from '../../support/store-builders.ts'

const said = (progress: Parameters<typeof progressSentences>[0]) =>
  progressSentences(progress).map((sentence) => sentenceText(sentence, { now: NOON, tz: 'UTC' }))
const project = (name: string) => ({ project: { name } })

test('how much was looked through in vain', () => {
  expect(nothingFound({ checks: 1, pings: 2_118 })).toBe('Nothing found in 1 check and 2,118 pings.')
})

test('what was not searched yet, and what never is', () => {
  expect(said({ unreadSince: null, reread: [], unsearched: [] })).toEqual([])
  expect(said({ unreadSince: after(-120), reread: [project('A')], unsearched: [project('B'), project('C')] })).toEqual([
    'The newest output is not indexed yet: its oldest part arrived 2 min ago.',
    'Earlier output is being indexed again in: A.',
    'Job output is not indexed in: B, C.',
  ])
})
