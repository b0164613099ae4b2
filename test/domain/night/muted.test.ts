/**
 * Muted periods of a night: they are shown and described, and do not change the results of runs. It is the night of 17 November 2026 in
 * UTC.
 */
import { expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { nightOfRows } from '../../../src/domain/night/night.ts'
import { mutedWords } from '../../../src/domain/night/outcome-words.ts'
import { type NightRow, nightRow } from '../../../src/domain/night/row.ts'
import { mutedSentence } from '../../../src/domain/night/sentence.ts'
import { nightOf } from '../../../src/domain/night/window.ts'
import type { PlotRun } from '../../../src/domain/rhythm-plot/facts.ts'
import type { Silence } from '../../../src/domain/silence/silence.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { atOnce } from '../../../src/lib/work/at-once.ts'
import { aCheck } from '../../support/builders.ts'

const WINDOW = nightOf(Temporal.PlainDate.from('2026-11-16'), 'UTC')
const at = (clock: string) => Temporal.Instant.from(`2026-11-${clock >= '12:00' ? '16' : '17'}T${clock}:00Z`)
const ms = (clock: string) => at(clock).epochMilliseconds
const NOW = at('09:42')

const nightly = (name: string, over: Partial<Check> = {}) =>
  aCheck({ ...{ name, kind: 'cron', schedule: '0 2 * * *', tz: 'UTC', status: 'up', projectId: 'shop' }, ...over })
const run = (kind: PlotRun['kind'], clock: string): PlotRun => ({
  ...{ kind, began: ms(clock), ended: ms(clock), isTimed: false, n: 1, due: kind === 'missing' ? ms(clock) : null },
})
const row = (check: Check, ...runs: readonly PlotRun[]) =>
  nightRow(check, { runs, sender: null, usual: null }, WINDOW, NOW.epochMilliseconds)

const silence = (from: string, until: string, over: Partial<Silence> = {}): Silence => ({
  ...{ id: `${from} ${until}`, projectId: 'shop', match: { checks: [], tags: [] } },
  ...{ startsAt: at(from), endsAt: at(until), untilHealthy: false, window: null, upTo: 'down', reason: '' },
  ...{ createdAt: at(from), createdBy: { kind: 'person', accountId: 'ann', name: 'ann@example.org' } },
  ...over,
})

const night = (rows: readonly NightRow[], ...silences: readonly Silence[]) =>
  atOnce(nightOfRows([{ place: 'shop', rows, silences }], WINDOW, NOW.epochMilliseconds))
const rowsOf = (...given: Parameters<typeof night>) => night(...given).groups.flatMap(({ open }) => open)
const words = (...given: Parameters<typeof night>) => rowsOf(...given).map(({ muted }) => mutedWords(muted, 'UTC'))
const sentences = (...given: Parameters<typeof night>) =>
  night(...given).groups.flatMap(({ muted }) =>
    muted.map((one) => sentenceText(mutedSentence(one), { now: NOW, tz: 'UTC' })),
  )

test('a row says when its check was muted, and is judged as without', () => {
  const missed = row(nightly('Backup'), run('missing', '02:00'))
  const [muted] = rowsOf([missed], silence('22:00', '06:00'))
  expect(muted).toMatchObject({ outcome: 'missing', muted: [{ from: ms('22:00'), until: ms('06:00') }] })
  expect(night([missed], silence('22:00', '06:00')).counts).toEqual(night([missed]).counts)
  expect(words([missed], silence('22:00', '06:00'))).toEqual(['muted 22:00 to 06:00'])
  expect(words([missed], silence('12:00', '06:00'))).toEqual(['muted until 06:00'])
  expect(words([missed], silence('22:00', '08:30'))).toEqual(['muted from 22:00'])
  expect(words([missed], silence('12:00', '11:00'))).toEqual(['muted'])
  expect(words([missed], silence('20:00', '21:00'), silence('22:00', '23:00'))).toEqual(['muted 2 times'])
  expect(words([missed], silence('16:00', '17:00'), silence('08:00', '09:00'))).toEqual([''])
})

test('a mute until healthy ends for a check with its first good run after it began', () => {
  const healthy = nightly('Backup', { lastSuccessAt: at('08:30') })
  const mute = silence('01:00', '07:00', { untilHealthy: true })
  expect(words([row(healthy, run('failed', '01:30'), run('ran', '02:00'))], mute)).toEqual(['muted 01:00 to 02:00'])
  const often = { ...healthy, kind: 'simple', timeoutSeconds: 600 } as const
  const stretchesOf = (...runs: readonly PlotRun[]) => {
    const [group] = night([row(often, ...runs)], mute).groups
    return [...(group?.frequent ?? []), ...(group?.frequentTrouble ?? [])].map(({ muted }) => mutedWords(muted, 'UTC'))
  }
  expect(stretchesOf(run('ran', '00:55'), run('ran', '01:05'))).toEqual(['muted 01:00 to 01:10'])
  expect(stretchesOf(run('missing', '00:50'), run('ran', '04:00'))).toEqual(['muted 01:00 to 04:00'])
})

test('a sentence says of each mute whom it was about, until when, by whom and why', () => {
  const [one, two] = [nightly('Backup'), nightly('Bank', { tags: 'db' })].map((check) =>
    row(check, run('ran', '02:00')),
  )
  if (!one || !two) throw new Error('no rows')
  const reason = 'New disk.'
  expect(sentences([one, two], silence('22:00', '02:00', { reason }))).toEqual([
    'Muted: 2 checks from yesterday 22:00 to 02:00 by ann@example.org: ‘New disk.’',
  ])
  expect(
    sentences([one, two], silence('22:00', '02:00', { match: { checks: [], tags: ['db'] }, createdBy: null })),
  ).toEqual(['Muted: Bank from yesterday 22:00 to 02:00 by its ping URL.'])
  expect(sentences([one, two], silence('23:00', '02:00', { match: { checks: [], tags: ['web'] } }))).toEqual([])
  const both = [
    silence('23:00', '02:00'),
    silence('22:00', '01:00', { createdBy: { kind: 'key', accountId: null, name: '' } }),
  ]
  expect(sentences([one, two], ...both)).toEqual([
    'Muted: 2 checks from yesterday 22:00 to 01:00 by an API key.',
    'Muted: 2 checks from yesterday 23:00 to 02:00 by ann@example.org.',
  ])
  const again = { endsAt: null, window: { schedule: '0 23,1 * * *', tz: 'UTC', seconds: 1_800 } }
  expect(sentences([one, two], silence('12:00', '12:00', again))).toEqual([
    'Muted: 2 checks from yesterday 23:00 to yesterday 23:30 by ann@example.org.',
    'Muted: 2 checks from 01:00 to 01:30 by ann@example.org.',
  ])
})
