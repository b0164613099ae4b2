import { describe, expect, test } from 'bun:test'
import type { AuditEntry, AuditSubjectKind, AuditValues } from '../../../../../src/domain/audit/audit.ts'
import { auditSentence } from '../../../../../src/http/web/pages/audit/sentence.ts'
import { anAuthor } from '../../../../support/store-builders.ts'

const OPS = { kind: 'person', accountId: 'o', name: 'ops@example.org' } as const
const JANE = { kind: 'person', accountId: 'j', name: 'jane@example.org' } as const

/** Times before and after the changes, as the audit log contains them. */
const BEFORE = '2000-01-01T00:00:00+00:00'
const LATER = '2100-01-01T00:00:00+00:00'

type Who = typeof OPS | typeof JANE
type Subject = readonly [kind: AuditSubjectKind, name: string, id?: string]

/** Describes a row as the store writes it: `before` is null for a creation, `after` for a deletion. */
function said(by: Who, [kind, name, id = 'x']: Subject, before: AuditValues | null, after: AuditValues | null): string {
  const action = before === null ? 'create' : after === null ? 'delete' : 'edit'
  const entry: AuditEntry = { author: anAuthor(by), projectId: 'p', action, subject: { kind, id, name }, before, after }
  return auditSentence(entry).text.replace(/<[^>]*>/g, '')
}

describe('an account', () => {
  const jane: Subject = ['account', 'jane@example.org', 'j']
  test.each<[string, Who, AuditValues | null, AuditValues | null]>([
    ['jane@example.org created an account', JANE, null, {}],
    ['ops@example.org created the account jane@example.org', OPS, null, {}],
    ['jane@example.org closed the account', JANE, {}, null],
    ['ops@example.org deleted the account jane@example.org', OPS, {}, null],
    ['ops@example.org suspended jane@example.org', OPS, { suspended: false }, { suspended: true }],
    ['ops@example.org ended the suspension of jane@example.org', OPS, { suspended: true }, { suspended: false }],
    ['ops@example.org made jane@example.org an administrator', OPS, { administrator: false }, { administrator: true }],
    [
      'ops@example.org removed jane@example.org as an administrator',
      OPS,
      { administrator: true },
      { administrator: false },
    ],
    ['jane@example.org set up the authenticator app', JANE, { second_factor: false }, { second_factor: true }],
    ['jane@example.org removed the authenticator app', JANE, { second_factor: true }, { second_factor: false }],
    [
      'ops@example.org removed the authenticator app of jane@example.org',
      OPS,
      { second_factor: true },
      { second_factor: false },
    ],
    ['jane@example.org replaced the authenticator app', JANE, {}, { authenticator_changed: true }],
    ['jane@example.org changed the password', JANE, {}, { password_changed: true }],
    [
      'jane@example.org set a password and confirmed the email',
      JANE,
      { has_password: false },
      { has_password: true, password_changed: true, email_confirmed: true },
    ],
    ['jane@example.org created new recovery codes', JANE, {}, { recovery_codes_changed: true }],
    ['ops@example.org created a link to set a password of jane@example.org', OPS, {}, { password_link: true }],
    [
      'j@example.org changed the email from j@example.org to jane@example.org',
      { ...JANE, name: 'j@example.org' } as unknown as Who,
      { email: 'j@example.org' },
      { email: 'jane@example.org' },
    ],
    [
      'jane@example.org changed the time zone to Europe/Riga, changed the theme to dark and turned off the shortcuts',
      JANE,
      { tz: 'UTC', theme: 'light', shortcuts: true },
      { tz: 'Europe/Riga', theme: 'dark', shortcuts: false },
    ],
  ])('%s', (sentence, by, before, after) => {
    expect(said(by, jane, before, after)).toBe(sentence)
  })
})

describe('who signs in and is in the project', () => {
  const member: Subject = ['member', 'jane@example.org', 'j']
  const session: Subject = ['session', 'jane@example.org']
  const identity: Subject = ['identity', 'jane@example.org']
  const invitation: Subject = ['invitation', 'jane@example.org']
  const link: Subject = ['invitation', 'a link']
  const offer: Subject = ['ownership-offer', 'jane@example.org']
  const invited = { role: 'manager', email: 'jane@example.org' }
  const offered = { from: 'ops@example.org', to: 'jane@example.org' }
  test.each<[string, Who, Subject, AuditValues | null, AuditValues | null]>([
    [
      'jane@example.org signed in with a password and a recovery code',
      JANE,
      session,
      null,
      { method: 'password', second_factor: 'recovery-code' },
    ],
    ['jane@example.org signed in by single sign-on', JANE, session, null, { method: 'oidc' }],
    ['jane@example.org signed out', JANE, session, { method: 'password' }, null],
    ['ops@example.org signed out jane@example.org', OPS, session, { method: 'password' }, null],
    ['jane@example.org became a manager of the project', JANE, member, null, { role: 'manager' }],
    ['ops@example.org added jane@example.org as a member of the project', OPS, member, null, { role: 'member' }],
    [
      'ops@example.org made jane@example.org a read-only member of the project',
      OPS,
      member,
      { role: 'member' },
      { role: 'read-only' },
    ],
    ['jane@example.org left the project', JANE, member, { role: 'member' }, null],
    ['ops@example.org removed jane@example.org from the project', OPS, member, { role: 'member' }, null],
    ['jane@example.org linked the account with single sign-on', JANE, identity, null, {}],
    ['jane@example.org unlinked the account from single sign-on', JANE, identity, {}, null],
    ['jane@example.org added the passkey Phone', JANE, ['passkey', 'Phone'], null, {}],
    [
      'jane@example.org renamed the passkey Key to Phone',
      JANE,
      ['passkey', 'Phone'],
      { name: 'Key' },
      { name: 'Phone' },
    ],
    ['jane@example.org removed the passkey Phone', JANE, ['passkey', 'Phone'], {}, null],
    ['ops@example.org invited jane@example.org as a manager', OPS, invitation, null, invited],
    ['jane@example.org used the invitation of jane@example.org', JANE, invitation, { ...invited, ended: 'used' }, null],
    [
      'ops@example.org revoked the invitation of jane@example.org',
      OPS,
      invitation,
      { ...invited, ended: 'revoked' },
      null,
    ],
    ['ops@example.org created an invitation link for a member', OPS, link, null, { role: 'member', email: null }],
    ['ops@example.org offered to make jane@example.org the owner of the project', OPS, offer, null, offered],
    [
      'jane@example.org accepted the project from ops@example.org',
      JANE,
      offer,
      { ...offered, ended: 'accepted' },
      null,
    ],
    [
      'jane@example.org declined the project, which ops@example.org had offered',
      JANE,
      offer,
      { ...offered, ended: 'declined' },
      null,
    ],
    [
      'ops@example.org withdrew the offer of the project to jane@example.org',
      OPS,
      offer,
      { ...offered, ended: 'withdrawn' },
      null,
    ],
  ])('%s', (sentence, by, subject, before, after) => {
    expect(said(by, subject, before, after)).toBe(sentence)
  })
})

describe('what is in a project', () => {
  const check: Subject = ['check', 'Backup']
  test.each<[string, Subject, AuditValues | null, AuditValues | null]>([
    ['created the check Backup', check, null, { name: 'Backup' }],
    ['created the check without a name', ['check', ''], null, { name: '' }],
    ['paused the check Backup', check, { status: 'up' }, { status: 'paused' }],
    ['resumed the check Backup', check, { status: 'paused' }, { status: 'new' }],
    ['changed the check Backup', check, { status: 'new', grace: 60 }, { status: 'paused', grace: 90 }],
    ['cleared the log of the check Backup', check, { status: 'up' }, { status: 'new', cleared: true }],
    ['moved the check Backup to another project', check, { transferred: true }, null],
    ['moved the check Backup here from another project', check, null, { transferred: true }],
    ['turned the integration Ops off', ['channel', 'Ops'], { disabled: false }, { disabled: true }],
    ['turned the integration Ops on', ['channel', 'Ops'], { disabled: true }, { disabled: false }],
    ['changed the integration Ops', ['channel', 'Ops'], {}, { changed_settings: ['url'] }],
    ['retried the alert Backup', ['delivery', 'Backup'], { state: 'failed' }, { state: 'pending' }],
    ['cancelled the alert Backup', ['delivery', 'Backup'], { state: 'pending' }, { state: 'failed' }],
    ['took the incident of Backup', ['incident', 'Backup'], { acknowledged_by: null }, { acknowledged_by: 'ops' }],
    [
      'took over the incident of Backup',
      ['incident', 'Backup'],
      { acknowledged_by: 'jane' },
      { acknowledged_by: 'ops' },
    ],
    [
      'handed back the incident of Backup',
      ['incident', 'Backup'],
      { acknowledged_by: 'ops' },
      { acknowledged_by: null },
    ],
    ['left a note on the incident of Backup', ['incident', 'Backup'], { note: null }, { note: 'The disk' }],
    ['changed the incident Backup', ['incident', 'Backup'], { until: null }, { until: '2026-05-12T02:10:00Z' }],
    ['muted the project for upgrade', ['silence', 'upgrade'], null, { checks: [], tags: [] }],
    ['muted checks tagged prod db', ['silence', ''], null, { checks: [], tags: ['prod', 'db'] }],
    ['muted 2 checks', ['silence', ''], null, { checks: ['a', 'b'], tags: [] }],
    ['muted the project', ['silence', ''], null, { checks: [], tags: [], starts_at: BEFORE }],
    ['planned to mute the project', ['silence', ''], null, { checks: [], tags: [], starts_at: LATER }],
    [
      'planned to mute the project',
      ['silence', ''],
      null,
      { checks: [], tags: [], starts_at: BEFORE, schedule: 'daily' },
    ],
    ['changed a mute', ['silence', ''], { ends_at: null }, { ends_at: LATER }],
    ['changed a mute', ['silence', ''], { duration: 600 }, { duration: 1200 }],
    ['ended a mute for upgrade', ['silence', 'upgrade'], { ends_at: 'b' }, { ends_at: 'a' }],
    ['deleted 2 checks with the project Books', ['project', 'Books'], { checks: 7 }, { checks: 5 }],
    ['deleted the project Books', ['project', 'Books'], { checks: 5 }, null],
    ['created the read-only API key Board', ['key', 'Board'], null, { kind: 'read-only' }],
    ['revoked the API key Deploys', ['key', 'Deploys'], { kind: 'read-write' }, null],
    ['created the ping key abcd1234', ['key', 'abcd1234'], null, { kind: 'ping' }],
    ['published the status page Books', ['status-page', 'Books'], { public: false }, { public: true }],
    ['took the status page Books offline', ['status-page', 'Books'], { public: true }, { public: false }],
  ])('%s', (deed, subject, before, after) => {
    expect(said(OPS, subject, before, after)).toBe(`ops@example.org ${deed}`)
  })
})
