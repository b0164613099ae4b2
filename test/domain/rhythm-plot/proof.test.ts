/** The small picture beside an advice, from the counts of each day. */
import { expect, test } from 'bun:test'
import { type RhythmProof, rhythmProof } from '../../../src/domain/rhythm-plot/proof.ts'
import type { MutedStretch } from '../../../src/domain/silence/muted-stretch.ts'
import { aSilence } from '../../support/builders.ts'
import { DAY, daysOf, historyOf, MORNING, RHYTHM_JOBS, type RhythmJob, times } from '../../support/rhythm-jobs.ts'

function proofOf(job: RhythmJob, muted: readonly MutedStretch[] = []): RhythmProof {
  const { kind, timeoutSeconds, schedule, tz, graceSeconds, createdAt } = historyOf(job).check
  const timing = { kind, timeoutSeconds, schedule, tz, graceSeconds, since: createdAt.epochMilliseconds }
  const proof = rhythmProof(timing, daysOf(job), muted, MORNING)
  if (proof === null) throw new Error('there is no rhythm')
  return proof
}
const marksOf = (job: RhythmJob) => {
  const proof = proofOf(job)
  return proof.kind === 'plot' ? proof.plot.marks.map(({ kind }) => kind) : []
}
const daily = { kind: 'simple', timeoutSeconds: 86_400, graceSeconds: 3_600 } as const

test('needs no log: days alone tell a shifted, a slow and a weekday job apart', () => {
  expect(proofOf(RHYTHM_JOBS.shifted).finding).toBe(
    'every run started late: at 05:00 until 24 Oct and at 04:00 since, always 03:00 UTC; expected at 03:00',
  )
  expect(marksOf(RHYTHM_JOBS.slow).filter((kind) => kind === 'late')).toHaveLength(25)
  expect(marksOf(RHYTHM_JOBS.weekdays).filter((kind) => kind === 'missing')).toHaveLength(8)
})

test('says on which days some of several runs failed: nobody knows which', () => {
  const proof = proofOf(RHYTHM_JOBS.flapping)
  expect(proof).toMatchObject({ kind: 'plot', partlyFailed: [18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29] })
  expect(marksOf(RHYTHM_JOBS.flapping)).not.toContain('failed')
})

test('shows of a job that runs often at which times of the day it came, and its longest silence', () => {
  const silent = MORNING - 8 * DAY
  const runs = times('*/5 * * * *', 'UTC', 29)
    .filter((at) => at < silent || at > silent + 430 * 60_000)
    .map((at) => ({ at, takes: 0 }))
  const proof = proofOf({ name: 'Thumbnails', settings: { ...daily, tz: 'Europe/Riga' }, runs })
  expect(proof.finding).toBe('a run every 5 min, expected every day; on 9 Nov nothing ran for 7 h 15 min')
  if (proof.kind !== 'presence') throw new Error('it has a mark for each run')
  expect(proof.stretches.filter(({ column }) => column === 21)).toEqual([
    { column: 21, from: 0, until: 585, isFailed: false },
    { column: 21, from: 1_015, until: 1_440, isFailed: false },
  ])
  expect(proof.stretches.at(-1)).toMatchObject({ column: 29, from: 0 })
})

test('says for which days the check was muted, which judges no run', () => {
  const muted = [{ from: MORNING - 3 * DAY, until: MORNING - 2 * DAY, silence: aSilence() }]
  const often = { ...RHYTHM_JOBS.frequent, settings: { ...RHYTHM_JOBS.frequent.settings, tz: 'Europe/Riga' } }
  for (const job of [RHYTHM_JOBS.shifted, often]) {
    expect(proofOf(job, muted)).toMatchObject({ mutedColumns: [26, 27], finding: proofOf(job).finding })
    expect(proofOf(job).mutedColumns).toEqual([])
  }
})

test('is none of two runs', () => {
  const job = { name: '', settings: daily, runs: [{ at: MORNING - 2 * DAY, takes: 0 }] }
  const { check } = historyOf(job)
  expect(rhythmProof({ ...check, since: 0 }, daysOf(job), [], MORNING)).toBeNull()
})
