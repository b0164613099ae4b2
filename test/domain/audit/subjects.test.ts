import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { auditRecord } from '../../../src/domain/audit/audit.ts'
import {
  auditedAccount,
  auditedChannel,
  auditedCheck,
  auditedKey,
  auditedMember,
  auditedProject,
} from '../../../src/domain/audit/subjects.ts'
import type { Channel } from '../../../src/domain/channel/channel.ts'
import type { CheckSettings } from '../../../src/domain/check/fields.ts'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { KEY_KINDS } from '../../../src/domain/key-kind.ts'
import { makeKey, storedKey } from '../../../src/domain/project.ts'
import { aChannel, aCheck, aProject, OTHER_SETTINGS } from '../../support/builders.ts'
import { aMember, anAccount, anAuthor, SECRET, testRandom } from '../../support/store-builders.ts'

const PROJECT = aProject()

describe('a check', () => {
  const plain = (over: Partial<CheckSettings> = {}) => auditedCheck({ check: aCheck(over), channelIds: [] })

  test.each(Object.entries(OTHER_SETTINGS))('shows a change of %s', (name, value) => {
    const record = auditRecord(plain(), plain({ [name]: value }))
    expect(Object.values(record?.after ?? {})).toEqual([value])
  })

  test('shows its channels, and when it is paused', () => {
    const [before, after] = [
      auditedCheck({ check: aCheck(), channelIds: ['a'] }),
      auditedCheck({ check: aCheck({ status: 'paused' }), channelIds: ['a', 'b'] }),
    ]
    expect(auditRecord(before, after)?.after).toEqual({ status: 'paused', channels: ['a', 'b'] })
  })

  test('is named by its unique key, because its UUID allows pings, and hides the key of its badge', () => {
    const check = aCheck({ name: 'Job' })
    const audited = auditedCheck({ check, channelIds: [] })
    expect([audited.id, audited.name]).toEqual([uniqueKey(check.id), 'Job'])
    const shown = JSON.stringify(audited)
    for (const secret of [check.id, check.badgeKey]) expect(shown).not.toContain(secret)
  })
})

describe('a channel', () => {
  const shown = (before: Partial<Channel>, after: Partial<Channel>) => {
    const [old, fresh] = [aChannel(before), aChannel(after)]
    return auditRecord(auditedChannel(old), auditedChannel(fresh, old))
  }

  test('shows the names of the settings that changed, were added and were removed', () => {
    const record = shown({ settings: { url: 'a', gone: 1, same: [1] } }, { settings: { url: 'b', new: 1, same: [1] } })
    expect([record?.before, record?.after]).toEqual([
      { changed_settings: null },
      { changed_settings: ['gone', 'new', 'url'] },
    ])
  })

  test('shows that settings changed which are one text', () => {
    expect(shown({ settings: 'a' }, { settings: 'b' })?.after).toEqual({ changed_settings: ['settings'] })
    expect(shown({ settings: 'a' }, { settings: 'a' })).toBeNull()
  })

  test('shows quiet hours as they are stored', () => {
    const quietHours = { schedule: '22:00', tz: 'Europe/Riga', seconds: 32_400, upTo: 'down' } as const
    const record = shown({}, { quietHours })
    expect([record?.before, record?.after]).toEqual([
      { quiet_hours: null },
      { quiet_hours: '22:00 (Europe/Riga), for 9 hours' },
    ])
  })

  test('shows that it was disabled, not why: a reason may name a URL', () => {
    expect(shown({}, { disabledReason: 'https://secret.test/ is gone', lastError: 'secret' })?.after).toEqual({
      disabled: true,
    })
    expect(shown({}, { lastError: 'e', host: 'h', awaitsConfirmation: true })).toBeNull()
  })

  test('never shows a value of its settings', () => {
    const secret = fc.stringMatching(/^S3CR3T[a-z]{3,9}$/)
    const settings = fc.dictionary(fc.constantFrom('url', 'token', 'to', 'headers'), fc.oneof(secret, fc.array(secret)))
    fc.assert(
      fc.property(fc.oneof(settings, secret), fc.oneof(settings, secret), (before, after) => {
        const [old, fresh] = [aChannel({ settings: before }), aChannel({ settings: after })]
        const records = [
          auditRecord(null, auditedChannel(old)),
          auditRecord(auditedChannel(old), auditedChannel(fresh, old)),
          auditRecord(auditedChannel(fresh), null),
        ]
        expect(JSON.stringify(records)).not.toContain('S3CR3T')
      }),
    )
  })
})

describe('an account', () => {
  const account = anAccount({ email: 'ann@example.org', passwordHash: '$argon2id$one' })

  test('shows everything but the hash of its password', () => {
    expect(auditedAccount(account)).toEqual({
      kind: 'account',
      id: account.id,
      name: 'ann@example.org',
      projectId: null,
      values: {
        email: 'ann@example.org',
        administrator: false,
        has_password: true,
        tz: 'UTC',
        theme: 'system',
        second_factor: false,
        suspended: false,
        shortcuts: true,
        morning_mail: 'off',
        morning_hour: null,
        list_rows: 'dense',
        list_picture: 'runs',
      },
    })
  })

  test.each([
    [{ passwordHash: '$argon2id$two' }, { password_changed: true }],
    [{ passwordHash: null }, { has_password: false, password_changed: true }],
    [{ email: 'bob@example.org' }, { email: 'bob@example.org' }],
    [{ isAdministrator: true }, { administrator: true }],
    [{ listRows: 'roomy' }, { list_rows: 'roomy' }],
    [{ listPicture: '24h' }, { list_picture: '24h' }],
    [
      { tz: 'Asia/Tokyo', theme: 'dark', hasShortcuts: false },
      { tz: 'Asia/Tokyo', theme: 'dark', shortcuts: false },
    ],
    [{ morningMail: { wish: 'trouble', hour: 7 } }, { morning_mail: 'trouble', morning_hour: 7 }],
  ] as const)('shows a change of %j as %j', (change, expected) => {
    const after = { ...account, ...change }
    const record = auditRecord(auditedAccount(account), auditedAccount(after, account))
    expect(record?.after).toEqual({ ...expected })
    expect(JSON.stringify(record)).not.toContain('argon2')
  })
})

test('a project shows its name, slug, limit and zone, and not the key of its badges', () => {
  expect(auditedProject(PROJECT)).toEqual({
    kind: 'project',
    id: PROJECT.id,
    name: 'Backups',
    projectId: PROJECT.id,
    values: { name: 'Backups', slug: 'backups', ping_log_limit: 100, search: true, tz: null },
  })
})

test.each(KEY_KINDS)('a %s key shows its first characters, and neither itself nor its hash', (kind) => {
  const key = makeKey(kind, testRandom.bytes)
  const stored = storedKey(PROJECT, kind, key, SECRET, anAuthor().at)
  const audited = auditedKey(stored)
  expect(audited).toMatchObject({ id: key.slice(0, 8), name: key.slice(0, 8), values: { kind } })
  for (const secret of [key, stored.lookup, key.slice(0, 9)]) expect(JSON.stringify(audited)).not.toContain(secret)
})

test('a member is named by email and shows the role', () => {
  const account = anAccount()
  expect(auditedMember(aMember(account, PROJECT, 'manager'), 'ann@example.org')).toEqual({
    kind: 'member',
    id: account.id,
    name: 'ann@example.org',
    projectId: PROJECT.id,
    values: { role: 'manager' },
  })
})
