/** An edit of several checks' settings, applied to one of them. */
import { describe, expect, test } from 'bun:test'
import { applyBulk, applyUndo, undoOf } from '../../../src/domain/bulk/bulk.ts'
import { editCheck, isEdited, type SettingsEdit, stampOf } from '../../../src/domain/bulk/edit.ts'
import { applySpec, type CheckSpec, newCheck } from '../../../src/domain/check/check.ts'
import type { CheckWithChannels } from '../../../src/domain/check/representation.ts'
import { fromSeconds } from '../../../src/lib/time.ts'
import { SeededRandom } from '../../support/seeded-random.ts'

const NOW = fromSeconds(1_767_225_600)
const FRESH = newCheck({ id: 'id', projectId: 'p', badgeKey: 'b', publicId: 'abcdefgh', createdAt: NOW })
const a = (spec: CheckSpec = {}, channelIds: readonly string[] = []): CheckWithChannels => ({
  check: applySpec(FRESH, spec, false),
  channelIds,
})

describe('a change of settings', () => {
  test('leaves what it does not name as it is', () => {
    const before = a({ schedule: '0 3 * * *', tz: 'Europe/Riga', grace: 600, tags: ' a  b ', methods: 'POST' }, ['x'])
    expect(editCheck(before, {})).toEqual({ ...before, kept: [] })
    const { check, channelIds, kept } = editCheck(before, { grace: 5_400 })
    expect({ check, channelIds, kept }).toEqual({
      check: { ...before.check, graceSeconds: 5_400 },
      channelIds: ['x'],
      kept: [],
    })
  })

  test('sets a schedule of another kind', () => {
    expect(editCheck(a({ timeout: 3_600 }), { schedule: 'Mon..Fri 02:00' }).check).toMatchObject({
      kind: 'oncalendar',
      schedule: 'Mon..Fri 02:00',
    })
    expect(editCheck(a({ schedule: '0 3 * * *' }), { timeout: 600 }).check).toMatchObject({
      kind: 'simple',
      timeoutSeconds: 600,
    })
  })

  test('moves times of day, and says why a check stays', () => {
    expect(editCheck(a({ schedule: '20 4 * * *' }), { moveBy: 15 })).toMatchObject({
      check: { schedule: '35 4 * * *' },
      kept: [],
    })
    expect(editCheck(a({ timeout: 3_600 }), { moveBy: 15 }).kept).toEqual([
      'Not moved: an interval has no time of day.',
    ])
    const weekly = editCheck(a({ schedule: '50 23 * * 1' }), { moveBy: 15, grace: 600 })
    expect(weekly.check).toMatchObject({ schedule: '50 23 * * 1', graceSeconds: 600 })
    expect(weekly.kept).toEqual(['Not moved: some runs would be on another day, and it names days.'])
  })

  test('gives an interval no zone, and a schedule that it sets one', () => {
    expect(editCheck(a({ timeout: 600 }), { tz: 'Europe/Riga' })).toMatchObject({
      check: { tz: 'UTC' },
      kept: ['No zone: an interval has none.'],
    })
    expect(editCheck(a({ timeout: 600 }), { tz: 'Europe/Riga', schedule: '0 3 * * *' }).check.tz).toBe('Europe/Riga')
  })

  test('adds and removes tags, keeps the text where none comes or goes, and says where they would be too long', () => {
    const tags = (text: string, edit: SettingsEdit) => editCheck(a({ tags: text }), edit).check.tags
    expect(tags(' a  b ', { addTags: ['c', 'a'], removeTags: ['b'] })).toBe('a c')
    expect(tags(' a  b ', { addTags: ['a'] })).toBe(' a  b ')
    const full = editCheck(a({ tags: 'x'.repeat(499) }), { addTags: ['yy'] })
    expect(full).toMatchObject({ check: { tags: 'x'.repeat(499) } })
    expect(full.kept).toEqual(['Not tagged: its tags would be longer than 500 characters.'])
  })

  test('replaces the channels', () => {
    expect(editCheck(a({}, ['x', 'y']), { channelIds: ['z', 'y'] }).channelIds).toEqual(['y', 'z'])
    expect(editCheck(a({}, ['x']), { channelIds: [] }).channelIds).toEqual([])
  })

  test('is another check to who has seen it before, and none if only its state or its name is another', () => {
    const before = a({ tags: 'a' }, ['x'])
    const stamp = stampOf(before)
    const { check } = before
    expect(stampOf({ ...before, check: { ...check, name: 'Other', status: 'up', nPings: 9 } })).toBe(stamp)
    for (const edit of [{ grace: 61 }, { tags: 'b' }, { tz: 'Europe/Riga' }, { methods: 'POST' }] satisfies CheckSpec[])
      expect(stampOf({ ...before, check: applySpec(check, edit, false) })).not.toBe(stamp)
    expect(stampOf({ ...before, channelIds: [] })).not.toBe(stamp)
  })

  test('of any kind is undone exactly, and not after somebody has changed the check', () => {
    const random = new SeededRandom(11)
    const maybe = <Value>(value: Value): Value | undefined => (random.happens(0.5) ? value : undefined)
    const schedules = ['0 3 * * *', '*/15 * * * *', '50 23 * * 1', 'daily', 'Mon..Fri 02:00', '0,30 2 * * *'] as const
    const specs = (): CheckSpec =>
      defined({
        ...(random.happens(0.5) ? { schedule: random.pick(schedules) } : { timeout: 60 + random.integer(9_999) }),
        grace: 60 + random.integer(9_999),
        tz: random.pick(['UTC', 'Europe/Riga']),
        tags: random.pick(['', ' a  b ', 'a b c', 'x'.repeat(499)]),
        methods: random.pick(['', 'POST'] as const),
      })
    const channels = () => ['x', 'y', 'z'].filter(() => random.happens(0.5))
    const edits = (): SettingsEdit =>
      defined({
        moveBy: maybe(random.integer(2_878) - 1_439),
        timeout: maybe(60 + random.integer(999)),
        schedule: maybe(random.pick(schedules)),
        grace: maybe(60 + random.integer(999)),
        tz: maybe(random.pick(['UTC', 'Asia/Tokyo'])),
        methods: maybe(random.pick(['', 'POST'] as const)),
        addTags: maybe(['b', 'new']),
        removeTags: maybe(['a']),
        channelIds: maybe(channels()),
      })
    const existing = new Set(['x', 'y', 'z'])
    let changed = 0
    for (let n = 0; n < 3_000; n++) {
      const before = a(specs(), channels())
      const change = { kind: 'set', settings: edits() } as const
      const result = applyBulk(before, change, NOW)
      expect(result !== null).toBe(isEdited(before, editCheck(before, change.settings)))
      if (result === null) continue
      changed += 1
      const after = { check: result.check, channelIds: result.channelIds ?? before.channelIds }
      const undo = undoOf(before, change, after)
      const undone = applyUndo(after, undo, existing)
      expect(undone !== 'delete' && { channelIds: after.channelIds, ...undone }).toEqual(before)
      const touched = { ...after, check: { ...after.check, graceSeconds: after.check.graceSeconds + 1 } }
      expect(applyUndo(touched, undo, existing)).toBeNull()
    }
    expect(changed).toBeGreaterThan(2_000)
  })

  test('of channels is undone as far as they still exist', () => {
    const before = a({}, ['x', 'y'])
    const change = { kind: 'set', settings: { channelIds: ['y', 'z'] } } as const
    const after = { ...before, channelIds: ['y', 'z'] }
    const undo = undoOf(before, change, after)
    expect(applyUndo({ ...after, channelIds: ['z'] }, undo, new Set(['x', 'z']))).toMatchObject({ channelIds: ['x'] })
    expect(applyUndo({ ...after, channelIds: ['z'] }, undo, new Set(['x', 'y', 'z']))).toBeNull()
  })
})

function defined<Of>(given: object): Of {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Of
}
