/** Incidents and silences as clients of the API see them. */
import { describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../src/domain/actor.ts'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { type Incident, openIncident } from '../../../src/domain/incident/incident.ts'
import { eventForReader, incidentFor } from '../../../src/domain/incident/reader.ts'
import {
  incidentId,
  readIncidentId,
  representEvent,
  representIncident,
} from '../../../src/domain/incident/represent.ts'
import { representSilence } from '../../../src/domain/silence/represent.ts'
import { aCheck, aFlip, aProject, aSilence, at, CHECK_ID } from '../../support/builders.ts'
import { ANN, BOB } from '../support/told-check.ts'

const KEY = uniqueKey(CHECK_ID)
const incident = openIncident(aFlip({ n: 12 }))
const check = aCheck({ name: 'Backup' })
const READ_KEY = { kind: 'key', keyKind: 'read-only', lookup: 'r', hint: 'hcr_', address: null } as const
const READER = { project: aProject(), by: READ_KEY }

describe('the name of an incident', () => {
  test('has the unique key of its check and its number, and is read again', () => {
    expect(incidentId(incident)).toBe(`${KEY}-12`)
    expect(readIncidentId(`${KEY}-12`)).toEqual({ checkKey: KEY, n: 12 })
  })

  test.each([
    KEY,
    `${KEY}-`,
    `${KEY}-0`,
    `${KEY}-01`,
    `${KEY}--1`,
    `${KEY}-1e3`,
    `${KEY.toUpperCase()}-1`,
    `${CHECK_ID}-1`,
  ])('is not %s', (text) => {
    expect(readIncidentId(text)).toBeNull()
  })

  test('has a number that is exact', () => {
    expect(readIncidentId(`${KEY}-${'9'.repeat(15)}`)?.n).toBe(999_999_999_999_999)
    expect(readIncidentId(`${KEY}-${'9'.repeat(16)}`)).toBeNull()
  })
})

describe('a reader without the right to change', () => {
  const acknowledgement = { at: at('12:05'), by: ANN, until: null, note: '', severity: 'down' } as const

  test('learns that somebody is on it, but not who', () => {
    const taken = { ...incident, acknowledgement }
    const by = (seen: Incident) => representIncident({ incident: seen, check }).acknowledged?.by
    expect(by(taken)).toEqual({ kind: 'person', name: ANN.name })
    expect(by(incidentFor(READER, taken))).toEqual({ kind: 'person', name: null })
    expect(incidentFor(operatorIn(READER.project), taken)).toBe(taken)
  })

  test('gets no UUID and no name with an event', () => {
    const event = { checkId: CHECK_ID, n: 13, at: at('12:05'), kind: 'acknowledged', by: ANN, until: null } as const
    const seen = representEvent(eventForReader({ ...event, note: 'Disk', takenFrom: BOB }))
    expect(seen).toMatchObject({ n: 13, by: { name: null }, taken_from: { name: null }, note: 'Disk' } as never)
    expect(JSON.stringify(seen)).not.toContain('@')
    expect(JSON.stringify(seen)).not.toContain(CHECK_ID)
  })

  test('gets the unique keys of silenced checks', () => {
    const silence = aSilence({ match: { checks: [CHECK_ID], tags: ['prod'] } })
    expect(representSilence(silence, 'read', at('00:30')).match).toEqual({ checks: [KEY], tags: ['prod'] })
    expect(representSilence(silence, 'own', at('00:30')).match).toEqual({ checks: [CHECK_ID], tags: ['prod'] })
  })
})

test('a silence says whether it holds now, and that a ping URL asked for it', () => {
  const seen = (time: string) => representSilence(aSilence(), 'read', at(time))
  expect([seen('00:00').active, seen('00:59:59').active, seen('01:00').active]).toEqual([true, true, false])
  expect(seen('00:00').created_by).toEqual({ kind: 'ping', name: null })
})
