/** Incidents in the words of a reader in UTC at 12:30. */
import { expect, test } from 'bun:test'
import type { By } from '../../../src/domain/author.ts'
import type { Acknowledgement } from '../../../src/domain/incident/acknowledgement.ts'
import type { IncidentEvent } from '../../../src/domain/incident/event.ts'
import type { Hold } from '../../../src/domain/incident/hold.ts'
import type { Incident } from '../../../src/domain/incident/incident.ts'
import { lastingSentence } from '../../../src/domain/incident/lasting.ts'
import { eventSentence, holdSentence, onItSentence, unsentSentence } from '../../../src/domain/incident/words.ts'
import type { Silence } from '../../../src/domain/silence/silence.ts'
import type { Sentence } from '../../../src/domain/words/sentence-parts.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { aSilence, at, CHECK_ID } from '../../support/builders.ts'

const ANN: By = { kind: 'person', accountId: 'a', name: 'Ann' }
const BOB: By = { kind: 'person', accountId: 'b', name: 'Bob' }
const KEY: By = { kind: 'key', accountId: null, name: 'hcr_abcd' }
const COMMAND: By = { kind: 'command', accountId: null, name: '' }

const says = (sentence: Sentence) => sentenceText(sentence, { now: at('12:30'), tz: 'UTC' })

test.each<[Partial<Acknowledgement>, string]>([
  [{}, 'On it: Ann since 02:10.'],
  [{ until: at('14:00') }, 'On it: Ann since 02:10, until 14:00.'],
  [{ note: 'Disk is full' }, 'On it: Ann since 02:10: ‘Disk is full’.'],
  [{ until: at('14:00'), note: 'Who\u202e\nelse?' }, 'On it: Ann since 02:10, until 14:00: ‘Who else?’'],
  [{ by: KEY }, 'On it: an API key since 02:10.'],
  [{ by: COMMAND }, 'On it: a command since 02:10.'],
])('who is on it, since when, until when and with which note: %#', (given, words) => {
  const acknowledgement = { at: at('02:10'), by: ANN, until: null, note: '', severity: 'down', ...given } as const
  expect(says(onItSentence(acknowledgement))).toBe(words)
})

test('nobody is on it', () => {
  expect(says(onItSentence(null))).toBe('Nobody is on it.')
})

test('what holds it is named by its reason', () => {
  const hold = { until: at('13:00') }
  expect(says(holdSentence(hold, aSilence({ reason: 'upgrade' })))).toBe('Held until 13:00 by silence ‘upgrade’.')
  expect(says(holdSentence(hold, aSilence()))).toBe('Held until 13:00 by a silence.')
  expect(says(holdSentence(hold, null))).toBe('Held until 13:00 by a silence.')
})

type Given = Omit<IncidentEvent, 'checkId' | 'at'> & Record<string, unknown>

test.each<[Given, string]>([
  [{ kind: 'held', silenceId: 's', until: at('13:00') }, 'Held until 13:00 by silence ‘upgrade’.'],
  [{ kind: 'released', from: 'silence', by: null }, 'No longer muted, still down.'],
  [{ kind: 'acknowledged', by: ANN, until: null, note: '', takenFrom: null }, 'Ann is on it.'],
  [
    { kind: 'acknowledged', by: KEY, until: at('14:00'), note: '', takenFrom: null },
    'An API key is on it until 14:00.',
  ],
  [
    { kind: 'acknowledged', by: ANN, until: null, note: 'He sleeps.', takenFrom: BOB },
    'Ann took over from Bob: ‘He sleeps.’',
  ],
  [{ kind: 'acknowledged', by: ANN, until: null, note: '', takenFrom: KEY }, 'Ann took over from an API key.'],
  [{ kind: 'released', from: 'acknowledgement', by: ANN }, 'Ann handed it back.'],
  [{ kind: 'released', from: 'acknowledgement', by: null }, 'Nobody is on it any more: the acknowledgement expired.'],
  [{ kind: 'note', by: ANN, text: '<b>Asked</b> the bank' }, 'Ann: ‘<b>Asked</b> the bank’'],
])('what happened, in a line: %#', (given, words) => {
  const event = { checkId: CHECK_ID, at: at('12:00'), ...given } as IncidentEvent
  expect(says(eventSentence(event, aSilence({ reason: 'upgrade' })))).toBe(words)
})

const INCIDENT: Incident = {
  checkId: CHECK_ID,
  n: 1,
  severity: 'down',
  openedAt: at('10:00'),
  resolvedAt: null,
  told: null,
  toldAt: null,
  acknowledgement: null,
  held: null,
  nextLookAt: null,
}

const MUTED: Hold = { why: 'silence', silenceId: 's', until: at('13:00') }
const TAKEN: Hold = { why: 'acknowledgement', until: null }

test.each<[Hold, Partial<Silence> | null, string]>([
  [MUTED, { createdBy: ANN, reason: 'upgrade\nof it' }, 'not sent, muted until 13:00 by Ann: ‘upgrade of it’'],
  [MUTED, { createdBy: COMMAND }, 'not sent, muted until 13:00 by a command'],
  [MUTED, { createdBy: null }, 'not sent, muted until 13:00'],
  [MUTED, null, 'not sent, muted until 13:00'],
  [TAKEN, null, 'not sent, Bob is on it'],
])('why nobody was told yet: %#', (held, silence, words) => {
  const acknowledgement = { at: at('02:10'), by: BOB, until: null, note: '', severity: 'down' } as const
  const incident = { ...INCIDENT, held, acknowledgement: held === TAKEN ? acknowledgement : null }
  expect(says(unsentSentence(incident, silence && aSilence(silence)))).toBe(words)
})

test.each<[Partial<Incident>, boolean, string]>([
  [{}, false, 'Down for 2 h 30 min. Nobody is on it.'],
  [
    { acknowledgement: { at: at('11:00'), by: KEY, until: null, note: '', severity: 'down' } },
    false,
    'Down for 2 h 30 min. An API key is on it.',
  ],
  [{ resolvedAt: at('10:30') }, false, 'Was down for 30 min.'],
  [{ resolvedAt: at('10:30') }, true, 'After 30 min.'],
])('how long it lasts: %#', (given, isEnd, words) => {
  expect(says(lastingSentence({ ...INCIDENT, ...given }, isEnd, at('12:30')))).toBe(words)
})
