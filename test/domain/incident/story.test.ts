/** The part of an incident that messages include: the reason that delayed its first alert, and the last note. */
import { describe, expect, test } from 'bun:test'
import type { NumberedEvent } from '../../../src/domain/incident/event.ts'
import { holdBeforeTold, lastNote, type PastHold, withoutNotes } from '../../../src/domain/incident/story.ts'
import { aFlip, CHECK_ID } from '../../support/builders.ts'
import { ANN, BOB, ToldCheck, time } from '../support/told-check.ts'

/** Returns the hold of the check's newest incident. */
function heldIn(it: ToldCheck): PastHold | null {
  const incident = it.open ?? it.ended.at(-1)
  if (!incident) throw new Error('there is none')
  return holdBeforeTold(
    incident,
    it.events.map((event, index) => ({ ...event, n: index + 2 })),
  )
}

const silenceOf = (silenceId: string, until: string): PastHold => ({ why: 'silence', silenceId, until: time(until) })

describe('the first alert', () => {
  test.each<[string, (it: ToldCheck) => ToldCheck, PastHold | null]>([
    ['sent at once, waited for nothing', (it) => it.down('0:10').take('0:20', { until: '0:30' }).until('0:40'), null],
    ['that is not sent yet, has not ended to wait', (it) => it.silence({}).down('0:10'), null],
    ['waited for a silence to end', (it) => it.silence({}).down('0:10').until('1:00'), silenceOf('s0', '1:00')],
    ['waited until somebody ended it', (it) => it.silence({}).down('0:10').unsilence('0:30'), silenceOf('s0', '0:30')],
    [
      'waited for the last of several',
      (it) =>
        it
          .silence({})
          .silence({ startsAt: time('0:50'), endsAt: time('1:20') }, '0:05')
          .down('0:10')
          .until('1:20'),
      silenceOf('s1', '1:20'),
    ],
    [
      'waited for whoever was on it when the silence ended',
      (it) => it.silence({}).down('0:10').take('0:30', { until: '2:00' }).until('2:00'),
      { why: 'acknowledgement', by: ANN, until: time('2:00') },
    ],
    [
      'waited for the last who was on it',
      (it) => it.silence({}).down('0:10').take('0:30').take('0:40', { by: BOB, takesOver: true }).handBack('1:30'),
      { why: 'acknowledgement', by: BOB, until: time('1:30') },
    ],
    [
      'waited for the silence again after it was handed back',
      (it) => it.silence({}).down('0:10').take('0:30').handBack('0:40').until('1:00'),
      silenceOf('s0', '1:00'),
    ],
    [
      'is not later for what comes after it',
      (it) => it.silence({}).down('0:10').take('1:10', { until: '1:30' }).until('1:40'),
      silenceOf('s0', '1:00'),
    ],
  ])('%s', (_, history, held) => {
    expect(heldIn(history(new ToldCheck()))).toEqual(held)
  })
})

describe('the last note', () => {
  const flip: NumberedEvent = { ...aFlip(), kind: 'flip' }
  const common = { checkId: CHECK_ID, by: ANN } as const
  const taken = (note: string): NumberedEvent => {
    return { ...common, n: 2, at: time('0:20'), kind: 'acknowledged', until: null, note, takenFrom: null }
  }
  const note: NumberedEvent = { ...common, n: 3, at: time('0:30'), kind: 'note', text: 'Freed 2 GB' }

  test('may be that of who took it', () => {
    expect(lastNote([flip, taken('Disk is full')], null)).toEqual({ at: time('0:20'), by: ANN, text: 'Disk is full' })
  })

  test('is the newest, and stays when somebody takes it without one', () => {
    const last = { at: time('0:30'), by: ANN, text: 'Freed 2 GB' }
    expect(lastNote([flip, taken('Disk is full'), note], null)).toEqual(last)
    expect(lastNote([flip, note, taken('')], null)).toEqual(last)
  })

  test('is not later than the time that is asked for', () => {
    const textAt = (until: string) => lastNote([flip, taken('Disk is full'), note], time(until))?.text
    expect(['0:19', '0:20', '0:29'].map(textAt)).toEqual([undefined, 'Disk is full', 'Disk is full'])
    expect(textAt('0:30')).toBe('Freed 2 GB')
  })

  test('need not be there', () => {
    expect(lastNote([flip, taken('')], null)).toBeNull()
  })
})

describe('without what people wrote', () => {
  const note = { at: time('0:30'), by: ANN, text: 'Freed 2 GB' }

  test('only what held it is left', () => {
    const held = silenceOf('s0', '1:00')
    expect(withoutNotes({ n: 2, held, reason: 'upgrade', note })).toEqual({ n: 2, held, reason: '', note: null })
  })

  test('nobody is named who held it', () => {
    const held = { why: 'acknowledgement', by: ANN, until: time('2:00') } as const
    const by = { kind: 'person', accountId: null, name: '' } as const
    const short = { n: 2, held: { ...held, by }, reason: '', note: null }
    expect(withoutNotes({ n: 2, held, reason: '', note })).toEqual(short)
  })
})
