/** Consistency of the table of a check's fields. */
import { expect, test } from 'bun:test'
import { CHECK_FIELDS, membersOf, NEW_SETTINGS, schemasOf, settingsOf } from '../../../src/domain/check/fields.ts'
import { fits, Type } from '../../../src/domain/schema.ts'

const FIELDS = Object.entries(CHECK_FIELDS)

test.each(FIELDS)('%s begins with a value that fits its schema', (_, { schema, initial }) => {
  expect(fits(schema, initial)).toBe(true)
})

test('no two fields have the same wire name or column', () => {
  expect(new Set(FIELDS.map(([, { wire }]) => wire)).size).toBe(FIELDS.length)
  expect(new Set(FIELDS.map(([, { column }]) => column)).size).toBe(FIELDS.length)
})

test('settings become members and settings again', () => {
  const settings = { ...NEW_SETTINGS, timeoutSeconds: 61, manualResume: true, methods: 'POST' as const }
  const members = membersOf(CHECK_FIELDS, settings)
  expect(members).toMatchObject({ timeout: 61, manual_resume: true, methods: 'POST' })
  expect(settingsOf(CHECK_FIELDS, members)).toEqual(settings)
})

test('what members lack or hold besides is no setting', () => {
  expect(settingsOf(CHECK_FIELDS, { grace: 90, tz: undefined, status: 'down' })).toEqual({ graceSeconds: 90 })
})

test('a project file may lack a field that came after the first ones, and no other', () => {
  const { name, desc } = CHECK_FIELDS
  const schema = Type.Object(schemasOf({ name, desc: { ...desc, since: 3 } }))
  expect(fits(schema, { name: 'x' })).toBe(true)
  expect(fits(schema, { desc: 'x' })).toBe(false)
})
