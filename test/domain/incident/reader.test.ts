import { expect, test } from 'bun:test'
import type { By } from '../../../src/domain/author.ts'
import { eventForReader, storyForReader } from '../../../src/domain/incident/reader.ts'
import { eventSentence, storySentence } from '../../../src/domain/incident/words.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { CHECK_ID, NOON } from '../../support/builders.ts'

const ann: By = { kind: 'person', accountId: 'a', name: 'ann@example.org' }
const words = (event: Parameters<typeof eventForReader>[0]) => {
  const shown = eventForReader(event)
  return shown.kind === 'flip' ? '' : sentenceText(eventSentence(shown, null), { now: NOON, tz: 'UTC' })
}

test('readers learn no address and no ping URL from what people did', () => {
  const common = { checkId: CHECK_ID, n: 2, at: NOON }
  const note = `curl https://example.org/ping/${CHECK_ID}`
  expect(words({ ...common, kind: 'note', by: ann, text: note })).not.toContain(CHECK_ID)
  expect(words({ ...common, kind: 'acknowledged', by: ann, until: null, note: '', takenFrom: ann })).toBe(
    'Somebody took over from somebody.',
  )
  expect(words({ ...common, kind: 'released', from: 'acknowledgement', by: ann })).toBe('Somebody handed it back.')
})

test('readers learn no address and no ping URL from what messages tell', () => {
  const note = { at: NOON, by: ann, text: `curl https://example.org/ping/${CHECK_ID}` }
  const held = { why: 'acknowledgement', by: ann, until: NOON } as const
  const shown = storyForReader({ n: 2, held, reason: '', note })
  const said = sentenceText(storySentence(shown, NOON), { now: NOON, tz: 'UTC' })
  expect(said).toContain('by somebody, down since')
  expect(said).toContain('Note by somebody')
  const all = JSON.stringify([shown, said])
  for (const secret of [ann.name, CHECK_ID]) expect(all).not.toContain(secret)
})
