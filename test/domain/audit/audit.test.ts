import { describe, expect, test } from 'bun:test'
import { type Audited, type AuditValues, auditRecord } from '../../../src/domain/audit/audit.ts'

const thing = (values: AuditValues, over: Partial<Audited> = {}): Audited => ({
  kind: 'check',
  id: 'c',
  name: 'Job',
  projectId: 'p',
  values,
  ...over,
})
const COMMON = { projectId: 'p', subject: { kind: 'check', id: 'c', name: 'Job' } } as const

describe('the record', () => {
  test('of a creation has all values afterwards', () => {
    const record = auditRecord(null, thing({ a: 1, b: null }))
    expect(record).toEqual({ ...COMMON, action: 'create', before: null, after: { a: 1, b: null } })
  })

  test('of a deletion has all values before', () => {
    const record = auditRecord(thing({ a: 1 }), null)
    expect(record).toEqual({ ...COMMON, action: 'delete', before: { a: 1 }, after: null })
  })

  test('of an edit has only what changed, and the name afterwards', () => {
    const before = thing({ name: 'Old', a: 1, list: ['x'], flag: true }, { name: 'Old' })
    const after = thing({ name: 'Job', a: 1, list: ['x', 'y'], flag: false })
    expect(auditRecord(before, after)).toEqual({
      ...COMMON,
      action: 'edit',
      before: { name: 'Old', list: ['x'], flag: true },
      after: { name: 'Job', list: ['x', 'y'], flag: false },
    })
  })

  test('of an edit has null for a value that was not there before', () => {
    expect(auditRecord(thing({ a: 1 }), thing({ a: 1, b: true }))).toMatchObject({
      before: { b: null },
      after: { b: true },
    })
  })

  test('is none when nothing changed, a list in the same order included', () => {
    expect(auditRecord(thing({ a: 1, list: ['x', 'y'] }), thing({ list: ['x', 'y'], a: 1 }))).toBeNull()
    expect(auditRecord(null, null)).toBeNull()
  })

  test('tells null from an empty text and from zero', () => {
    expect(auditRecord(thing({ a: null }), thing({ a: '' }))).not.toBeNull()
    expect(auditRecord(thing({ a: 0 }), thing({ a: false }))).not.toBeNull()
  })
})

test('long texts are compared whole, and kept cut', () => {
  const of = (desc: string): Audited => ({ kind: 'check', id: 'c', name: 'Job', projectId: 'p', values: { desc } })
  const start = 'x'.repeat(5_000)
  const record = auditRecord(of(`${start}1`), of(`${start}2`))
  const kept = `${'x'.repeat(999)}…`
  expect(record).toMatchObject({ action: 'edit', before: { desc: kept }, after: { desc: kept } })
  expect(auditRecord(null, of(start))?.after).toEqual({ desc: kept })
  expect(auditRecord(of(start), null)?.before).toEqual({ desc: kept })
})
