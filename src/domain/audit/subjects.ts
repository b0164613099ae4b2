/** The audit log's view of each kind of subject: its settings, with the names used in the API and without secrets. */

import { type Instant, isoSeconds } from '../../lib/time.ts'
import type { Account, Member } from '../account/account.ts'
import type { IdentityKey } from '../account/identity.ts'
import type { Invitation, InvitationEnd } from '../account/invitation.ts'
import type { OfferEnd, OwnershipOffer } from '../account/ownership-offer.ts'
import type { Passkey } from '../account/passkey.ts'
import type { SecondFactor, Session } from '../account/session.ts'
import type { AdviceState } from '../advice/stored-advice.ts'
import type { DeliveryState } from '../alert/delivery.ts'
import type { Channel } from '../channel/channel.ts'
import { storedQuietHours } from '../channel/quiet-words.ts'
import { JUDGING_FIELDS, LABEL_FIELDS, membersOf } from '../check/fields.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import { uniqueKey } from '../check/unique-key.ts'
import type { Project, StoredKey } from '../project.ts'
import type { StatusPage } from '../status-page/status-page.ts'
import { type Audited, type AuditValues, isSame } from './audit.ts'

export function auditedProject({ id, name, pingLogLimit, slug, isSearched, tz }: Project): Audited {
  return {
    kind: 'project',
    id,
    name,
    projectId: id,
    values: { name, slug, ping_log_limit: pingLogLimit, search: isSearched, tz },
  }
}

/** @param withLog true: the exported file contains pings */
export function auditedExport(project: Project, withLog: boolean): Audited {
  return { ...auditedProject(project), values: { log: withLog } }
}

/** @param contents number of objects of each kind in the project, keyed by the kind's API name */
export function auditedContents(project: Project, contents: Readonly<Record<string, number>>): Audited {
  const audited = auditedProject(project)
  return { ...audited, values: { ...audited.values, ...contents } }
}

/**
 * Returns the audit log's view of an import into a new or existing project.
 * @param from the program that exported the data
 * @param contents number of imported objects, keyed by kind
 */
export function auditedImport(project: Project, from: string, contents: Readonly<Record<string, number>>): Audited {
  const audited = auditedProject(project)
  return { ...audited, values: { ...audited.values, imported_from: from, ...contents } }
}

export function auditedKey({ projectId, kind, hint, name }: StoredKey): Audited {
  return { kind: 'key', id: hint, name: name === '' ? hint : name, projectId, values: { kind, name } }
}

/** Returns the audit log's view of a check. It uses the unique key instead of the UUID, because the UUID is the ping secret. */
export function auditedCheck({ check, channelIds }: CheckWithChannels): Audited {
  return {
    kind: 'check',
    id: uniqueKey(check.id),
    name: check.name,
    projectId: check.projectId,
    values: {
      ...membersOf(LABEL_FIELDS, check),
      status: check.status,
      ...membersOf(JUDGING_FIELDS, check),
      channels: channelIds,
    },
  }
}

/** Returns the audit log's view of the dismissed advice about a check. */
export function auditedPutOff(found: CheckWithChannels, { putOff }: Pick<AdviceState, 'putOff'>): Audited {
  return { ...auditedCheck(found), values: { advice_put_off: putOff.map(({ kind }) => kind) } }
}

/** Returns the audit log's view of a status page. Services are listed by their check's unique key, because the UUID is the ping secret. */
export function auditedStatusPage(page: StatusPage): Audited {
  const services = page.sections.flatMap((section) =>
    section.services.map(({ checkId, name, text }) => {
      const words = text === '' ? name : `${name} (${text})`
      return `${section.name}: ${words}, check ${uniqueKey(checkId)}`
    }),
  )
  return {
    kind: 'status-page',
    id: page.projectId,
    name: page.title,
    projectId: page.projectId,
    values: {
      public: page.isPublic,
      indexed: page.isIndexed,
      slug: page.slug,
      title: page.title,
      text: page.text,
      tz: page.tz,
      sections: page.sections.map(({ name, tag }) => (tag === null ? name : `${name}, tag ${tag}`)),
      services,
    },
  }
}

/**
 * Returns the audit log's view of a channel. Settings can be secrets, so the log contains only the names of settings that differ from those
 * in `before`.
 */
export function auditedChannel(channel: Channel, before: Channel | null = null): Audited {
  const { id, projectId, name, kind, disabledReason, quietHours } = channel
  const changed = before === null ? [] : changedFields(before.settings, channel.settings)
  const settings: AuditValues = changed.length > 0 ? { changed_settings: changed } : {}
  return {
    kind: 'channel',
    id,
    name,
    projectId,
    values: {
      name,
      kind,
      disabled: disabledReason !== null,
      quiet_hours: quietHours && storedQuietHours(quietHours),
      ...settings,
    },
  }
}

interface AuditedDelivery {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly state: DeliveryState
  readonly nextAttemptAt: Instant | null
  readonly error: string | null
}

export function auditedDelivery({ id, projectId, name, state, nextAttemptAt, error }: AuditedDelivery): Audited {
  return {
    kind: 'delivery',
    id,
    name,
    projectId,
    values: { state, next_attempt: nextAttemptAt && isoSeconds(nextAttemptAt), error },
  }
}

/**
 * Returns the audit log's view of an account. It shows whether the account has a password, an authenticator app or recovery codes and
 * whether they changed, but never their values.
 */
export function auditedAccount(
  account: Account,
  before: Account | null = null,
  { hasNewCodes = false }: { readonly hasNewCodes?: boolean } = {},
): Audited {
  const {
    id,
    email,
    isAdministrator,
    passwordHash,
    totp,
    tz,
    theme,
    hasShortcuts,
    morningMail,
    listRows,
    listPicture,
    isSuspended,
  } = account
  const isOther = before !== null && before.passwordHash !== passwordHash
  const isProven = before?.isEmailConfirmed === false && before.email === email && account.isEmailConfirmed
  const isOtherApp = before?.totp != null && totp !== null && before.totp.secret !== totp.secret
  return {
    kind: 'account',
    id,
    name: email,
    projectId: null,
    values: {
      email,
      administrator: isAdministrator,
      has_password: passwordHash !== null,
      tz,
      theme,
      shortcuts: hasShortcuts,
      morning_mail: morningMail?.wish ?? 'off',
      morning_hour: morningMail?.hour ?? null,
      list_rows: listRows,
      list_picture: listPicture,
      suspended: isSuspended,
      second_factor: totp !== null,
      ...(isOther ? { password_changed: true } : {}),
      ...(isProven ? { email_confirmed: true } : {}),
      ...(isOtherApp ? { authenticator_changed: true } : {}),
      ...(hasNewCodes ? { recovery_codes_changed: true } : {}),
    },
  }
}

/**
 * Returns the audit log's view of a sign-in or sign-out. The id is a hash prefix that is too short to identify the session.
 * @param email the account's email
 */
export function auditedSession(
  { lookup, method }: Pick<Session, 'lookup' | 'method'>,
  email: string,
  secondFactor?: SecondFactor | null,
): Audited {
  const values: AuditValues = secondFactor === undefined ? { method } : { method, second_factor: secondFactor }
  return { kind: 'session', id: lookup.slice(0, 12), name: email, projectId: null, values }
}

/** Returns the audit log's view of an OpenID identity. @param email the account's email */
export function auditedIdentity({ issuer, subject }: IdentityKey, email: string): Audited {
  return { kind: 'identity', id: subject, name: email, projectId: null, values: { issuer, subject } }
}

/** Returns the audit log's view of a passkey. The id serves only to tell passkeys apart. */
export function auditedPasskey({ id, name, accountId }: Passkey): Audited {
  return { kind: 'passkey', id, name, projectId: null, values: { name, account: accountId } }
}

export function auditedMember({ accountId, projectId, role }: Member, email: string): Audited {
  return { kind: 'member', id: accountId, name: email, projectId, values: { role } }
}

/**
 * Returns the audit log's view of an invitation. The id is a hash prefix that is just long enough to tell invitations apart.
 * @param ended how the invitation ended; unset if the row is not about its end
 */
export function auditedInvitation(
  { lookup, projectId, email, role, expiresAt }: Invitation,
  ended?: InvitationEnd,
): Audited {
  return {
    kind: 'invitation',
    id: lookup.slice(0, 12),
    name: email ?? 'a link',
    projectId,
    values: { role, email, expires: isoSeconds(expiresAt), ...(ended === undefined ? {} : { ended }) },
  }
}

/** Returns the audit log's view of an offer of ownership. @param ended how the offer ended; unset if the row is not about its end */
export function auditedOffer({ projectId, fromEmail, toEmail, expiresAt }: OwnershipOffer, ended?: OfferEnd): Audited {
  return {
    kind: 'ownership-offer',
    id: projectId,
    name: toEmail,
    projectId,
    values: { from: fromEmail, to: toEmail, expires: isoSeconds(expiresAt), ...(ended === undefined ? {} : { ended }) },
  }
}

/** Returns the audit log's view of a backup. @param name the file name of the backup */
export function auditedBackup(name: string): Audited {
  return { kind: 'backup', id: name, name, projectId: null, values: {} }
}

/** Returns the names of the fields that differ. A group's settings are a single string without fields. */
function changedFields(before: unknown, after: unknown): string[] {
  if (!isObject(before) || !isObject(after)) return isSame(before, after) ? [] : ['settings']
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => !isSame(before[name], after[name])).sort()
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
