/** Taking and releasing incidents, and notes. */
import { describe, expect, test } from 'bun:test'
import type { By } from '../../../src/domain/author.ts'
import type { Advanced } from '../../../src/domain/incident/advance.ts'
import { endIncident, type Incident, openIncident } from '../../../src/domain/incident/incident.ts'
import { readNote, readTaking } from '../../../src/domain/incident/spec.ts'
import { acknowledge, handBack, type NotTaken, noteOn } from '../../../src/domain/incident/take.ts'
import { aCheck, aFlip, at, CHECK_ID } from '../../support/builders.ts'
import { ANN, BOB } from '../support/told-check.ts'

const world = { check: aCheck({ status: 'down' }), silences: [] }
const told: Incident = { ...openIncident(aFlip()), told: 'down', toldAt: at('12:00') }

function taken(
  incident: Incident,
  by: By,
  given: { until?: string; note?: string; takesOver?: boolean },
  time: string,
) {
  const { note = '', until, takesOver = false } = given
  return acknowledge(incident, { by, note, until: until ? at(until) : null, takesOver }, world, at(time))
}

function takenBy(by: By, given = {}): Incident {
  return done(taken(told, by, given, '12:10')).incident
}

function done(change: Advanced | NotTaken): Advanced {
  if ('refused' in change) throw new Error(change.refused)
  return change
}

describe('an incident that nobody has', () => {
  test('is taken, with a note and an end', () => {
    const acknowledgement = { at: at('12:10'), by: ANN, until: at('14:00'), note: 'Disk is full', severity: 'down' }
    expect(taken(told, ANN, { note: 'Disk is full', until: '14:00' }, '12:10')).toEqual({
      incident: { ...told, acknowledgement, nextLookAt: at('14:00') } as Incident,
      tellings: [],
      events: [
        {
          ...{ checkId: CHECK_ID, at: at('12:10'), kind: 'acknowledged', by: ANN, until: at('14:00') },
          ...{ note: 'Disk is full', takenFrom: null },
        },
      ],
    })
  })

  test('cannot be handed back', () => {
    expect(handBack(told, ANN, world, at('12:10'))).toEqual({ refused: 'free' })
  })
})

describe('an incident that somebody has', () => {
  test('is taken from him only by who says so', () => {
    const ofAnn = takenBy(ANN)
    expect(taken(ofAnn, BOB, {}, '12:30')).toEqual({ refused: 'taken', by: ANN, since: at('12:10') })
    const { incident, events } = done(taken(ofAnn, BOB, { takesOver: true }, '12:30'))
    expect(incident.acknowledgement).toEqual({ at: at('12:30'), by: BOB, until: null, note: '', severity: 'down' })
    expect(events).toMatchObject([{ kind: 'acknowledged', by: BOB, takenFrom: ANN }])
  })

  test('gets another note or end from the same person, who has had it since then', () => {
    const renamed = { ...ANN, name: 'new@example.org' }
    const { incident, events } = done(taken(takenBy(ANN, { until: '14:00' }), renamed, { note: 'Later' }, '12:30'))
    const { acknowledgement, nextLookAt } = incident
    expect(acknowledgement).toEqual({ at: at('12:10'), by: renamed, until: null, note: 'Later', severity: 'down' })
    expect(nextLookAt).toBeNull()
    expect(events).toMatchObject([{ kind: 'acknowledged', takenFrom: null }])
  })

  test('is handed back by anybody, with the name', () => {
    expect(handBack(takenBy(ANN), BOB, world, at('12:30'))).toMatchObject({
      incident: { acknowledgement: null, nextLookAt: null },
      tellings: [],
      events: [{ kind: 'released', from: 'acknowledgement', by: BOB }],
    })
  })

  test('is free when the time is over, also before the look that says so', () => {
    const ofAnn = takenBy(ANN, { until: '12:20' })
    expect(handBack(ofAnn, ANN, world, at('12:20'))).toEqual({ refused: 'free' })
    expect(taken(ofAnn, BOB, {}, '12:20')).toMatchObject({ incident: { acknowledgement: { by: BOB } } })
  })

  test('keeps the name after its end, and is then neither taken nor handed back', () => {
    const ended = endIncident(takenBy(ANN), at('13:00'))
    expect(ended.acknowledgement?.by).toEqual(ANN)
    expect(taken(ended, BOB, { takesOver: true }, '13:10')).toEqual({ refused: 'resolved' })
    expect(handBack(ended, ANN, world, at('13:10'))).toEqual({ refused: 'resolved' })
  })
})

test('keys are told apart by their first characters, and commands are one', () => {
  const key = (name: string): By => ({ kind: 'key', accountId: null, name })
  const command: By = { kind: 'command', accountId: null, name: '' }
  expect(taken(takenBy(key('hcr_1')), key('hcr_2'), {}, '12:30')).toMatchObject({ refused: 'taken' })
  expect(taken(takenBy(key('hcr_1')), key('hcr_1'), {}, '12:30')).not.toHaveProperty('refused')
  expect(taken(takenBy(command), command, {}, '12:30')).not.toHaveProperty('refused')
  expect(taken(takenBy(command), ANN, {}, '12:30')).toMatchObject({ refused: 'taken' })
})

test('a note is an event of its own', () => {
  const note = { checkId: CHECK_ID, at: at('12:10'), kind: 'note', by: ANN, text: 'Asked the bank.' } as const
  const left = { by: ANN, text: 'Asked the bank.' }
  expect(noteOn(told, 99, left, at('12:10'))).toEqual(note)
  expect(() => noteOn(told, 100, left, at('12:10'))).toThrow('the incident has 100 notes, and accepts no more')
})

describe('a request', () => {
  test('to take an incident has a note, an end and a yes, all of which may be missing', () => {
    expect(readTaking({}, at('12:00'))).toEqual({ note: '', until: null, takesOver: false })
    const body = { note: ' Mine \n', until: '2026-03-04T14:00:00+01:00', takes_over: true }
    expect(readTaking(body, at('12:00'))).toEqual({ note: 'Mine', until: at('13:00'), takesOver: true })
  })

  test.each([
    [null, 'the value is not an object'],
    [{ note: 'x'.repeat(1_001) }, 'note is too long (at most 1000 characters)'],
    [{ until: 'tomorrow' }, 'until is not an instant such as 2026-11-16T04:09:12Z'],
    [{ until: '2026-03-04T12:00:00Z' }, 'until is in the past'],
    [{ til: '2026-03-04T14:00:00Z' }, 'til is not a known field'],
    [{ takes_over: 'yes' }, 'takes_over is not a boolean'],
  ])('to take an incident that is wrong says what to change: %#', (body, problem) => {
    expect(readTaking(body, at('12:00'))).toBe(problem)
  })

  test('that leaves a note has its text', () => {
    expect(readNote({ text: '\nAsked the bank.\n' })).toEqual({ text: 'Asked the bank.' })
    expect(readNote({ text: ' ' })).toBe('text is not a note: it is blank')
    expect(readNote({})).toBe('text is missing')
    expect(readNote({ text: 'x'.repeat(1_001) })).toBe('text is too long (at most 1000 characters)')
  })
})
