/** Builds a sentence for an audit log entry. Entries written by older versions lack some values, so their sentences are less specific. */
import { ROLES } from '../../../../domain/account/role.ts'
import type { AuditEntry, AuditSubjectKind, AuditValues } from '../../../../domain/audit/audit.ts'
import { isPlanned } from '../../../../domain/silence/calendar.ts'
import { Temporal } from '../../../../lib/time.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { AS_ROLE } from '../../parts/forms/roles.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'
import { accountDeed } from './account.ts'
import { ACTION_WORDS, authorName, KIND_WORDS } from './words.ts'

/** Returns a sentence such as `jane@example.org paused the check Backup` or `jane@example.org signed in with a passkey`. */
export function auditSentence(entry: AuditEntry): Html {
  const deed = DEEDS[entry.subject.kind]?.(entry) ?? plainDeed(entry)
  return html`${authorName(entry.author)} ${deed}`
}

/** Returns the phrase that follows the author's name; null to use the generic wording. */
type Deed = (entry: AuditEntry) => HtmlValue | null

/** Functions that return a specific phrase for an action, by kind of subject. */
const DEEDS: Partial<Readonly<Record<AuditSubjectKind, Deed>>> = {
  check: checkDeed,
  channel: channelDeed,
  delivery: ({ after, subject }) =>
    html`${after?.state === 'failed' ? 'cancelled' : 'retried'} the alert ${named(subject.name)}`,
  incident: incidentDeed,
  silence: silenceDeed,
  project: projectDeed,
  member: memberDeed,
  key: keyDeed,
  'status-page': statusPageDeed,
  account: accountDeed,
  session: sessionDeed,
  identity: identityDeed,
  passkey: passkeyDeed,
  invitation: invitationDeed,
  'ownership-offer': offerDeed,
  backup: ({ action, subject }) =>
    html`${action === 'create' ? 'started' : 'downloaded'} the backup ${named(subject.name)}`,
}

function plainDeed({ action, subject }: AuditEntry): Html {
  return html`${ACTION_WORDS[action].toLowerCase()} the ${KIND_WORDS[subject.kind]} ${named(subject.name)}`
}

function named(name: string): Html {
  return name === '' ? html`<i>without a name</i>` : html`<b>${bdi(name)}</b>`
}

/** Returns whether this field is the only one that changed. */
function isOnly(values: AuditValues | null, field: string): boolean {
  return values !== null && Object.keys(values).join() === field
}

function checkDeed({ action, subject, before, after }: AuditEntry): Html | null {
  const check = named(subject.name)
  if (before?.transferred === true) return html`moved the check ${check} to another project`
  if (after?.transferred === true) return html`moved the check ${check} here from another project`
  if (after?.cleared === true) return html`cleared the log of the check ${check}`
  if (action !== 'edit' || !isOnly(after, 'status')) return null
  if (after?.status === 'paused') return html`paused the check ${check}`
  if (before?.status === 'paused') return html`resumed the check ${check}`
  return before?.status === 'new' && after?.status === 'up' ? html`resumed monitoring the check ${check}` : null
}

function channelDeed({ action, subject, before, after }: AuditEntry): Html | null {
  if (action !== 'edit') return null
  const channel = html`the integration ${named(subject.name)}`
  if (isOnly(after, 'disabled')) return html`turned ${channel} ${after?.disabled === true ? 'off' : 'on'}`
  if (!isOnly(after, 'quiet_hours')) return null
  if (before?.quiet_hours === null) return html`gave ${channel} quiet hours`
  return html`${after?.quiet_hours === null ? 'removed' : 'changed'} the quiet hours of ${channel}`
}

function incidentDeed({ subject, before, after }: AuditEntry): Html | null {
  const incident = html`the incident of ${named(subject.name)}`
  if (isOnly(after, 'note') && before?.note === null) return html`left a note on ${incident}`
  if (after?.acknowledged_by === undefined) return null
  if (after.acknowledged_by === null) return html`handed back ${incident}`
  return before?.acknowledged_by === null ? html`took ${incident}` : html`took over ${incident}`
}

function silenceDeed(entry: AuditEntry): Html {
  const { action, subject, after } = entry
  const why = subject.name === '' ? '' : html` for ${named(subject.name)}`
  if (action !== 'create') return html`${hasEnded(entry) ? 'ended' : 'changed'} a mute${why}`
  const [checks, tags] = [listOf(after?.checks), listOf(after?.tags)]
  const tagged = tags.length === 0 ? '' : html` tagged ${named(tags.join(' '))}`
  const muted = wasPlanned(entry) ? 'planned to mute' : 'muted'
  if (checks.length === 0) return html`${muted} ${tags.length === 0 ? 'the project' : html`checks${tagged}`}${why}`
  return html`${muted} ${counted(checks.length, 'check', 'checks')}${tagged}${why}`
}

function wasPlanned({ after, author }: AuditEntry): boolean {
  const startsAt = after?.starts_at
  if (typeof startsAt !== 'string') return false
  const times = { startsAt: Temporal.Instant.from(startsAt), createdAt: author.at }
  return isPlanned({ ...times, window: after?.schedule ?? null })
}

/** Returns whether the change ended a silence. That is the case if only the silence's end changed, and the new end is not in the future. */
function hasEnded({ after, author }: AuditEntry): boolean {
  const { ends_at: end, ...others } = after ?? {}
  return Object.keys(others).length === 0 && typeof end === 'string' && !(Date.parse(end) > author.at.epochMilliseconds)
}

function listOf(value: AuditValues[string] | undefined): readonly string[] {
  return typeof value === 'object' && value !== null ? value : []
}

function projectDeed({ action, subject, before, after }: AuditEntry): Html | null {
  if (action !== 'edit') return null
  const [had, has] = [before?.checks, after?.checks]
  if (typeof had === 'number' && typeof has === 'number') {
    return html`deleted ${counted(had - has, 'check', 'checks')} with the project ${named(subject.name)}`
  }
  if (!isOnly(after, 'search')) return null
  const words = `turned ${after?.search === true ? 'on' : 'off'} indexing of job output for search`
  return html`${words} in the project ${named(subject.name)}`
}

function memberDeed(entry: AuditEntry): HtmlValue {
  const { action, subject, author, after } = entry
  const isOwn = author.accountId === subject.id
  const role = ROLES.find((known) => known === after?.role)
  const who = named(subject.name)
  if (action === 'delete') return isOwn ? 'left the project' : html`removed ${who} from the project`
  const as = role === undefined ? 'a member' : AS_ROLE[role]
  if (isOwn) return `became ${as} of the project`
  return action === 'create' ? html`added ${who} as ${as} of the project` : html`made ${who} ${as} of the project`
}

function keyDeed({ action, subject, before, after }: AuditEntry): Html {
  const kind = (after ?? before)?.kind
  const what = kind === 'ping' ? 'ping key' : kind === 'read-only' ? 'read-only API key' : 'API key'
  const name = html`<b>${shown(subject.name)}</b>`
  return html`${action === 'create' ? 'created' : 'revoked'} the ${what} ${name}`
}

function statusPageDeed({ action, subject, after }: AuditEntry): Html | null {
  if (action !== 'edit' || !isOnly(after, 'public')) return null
  const page = named(subject.name)
  return after?.public === true ? html`published the status page ${page}` : html`took the status page ${page} offline`
}

const BY_METHOD: Readonly<Record<string, string>> = {
  password: ' with a password',
  link: ' by a link',
  passkey: ' with a passkey',
  oidc: ' by single sign-on',
}
const BY_FACTOR: Readonly<Record<string, string>> = {
  totp: ' and an authenticator app',
  'recovery-code': ' and a recovery code',
  passkey: ' and a passkey',
}

function sessionDeed({ action, subject, author, after }: AuditEntry): HtmlValue {
  const isOwn = author.kind === 'person' && author.name === subject.name
  if (action !== 'create') return isOwn ? 'signed out' : html`signed out ${named(subject.name)}`
  const words = BY_METHOD[String(after?.method)] ?? ''
  return `signed in${words}${BY_FACTOR[String(after?.second_factor)] ?? ''}`
}

function identityDeed({ action, subject, author }: AuditEntry): Html {
  const isOwn = author.kind === 'person' && author.name === subject.name
  const account = isOwn ? 'the account' : html`the account ${named(subject.name)}`
  return action === 'delete'
    ? html`unlinked ${account} from single sign-on`
    : html`linked ${account} with single sign-on`
}

function passkeyDeed({ action, subject, before, after }: AuditEntry): Html {
  const passkey = named(subject.name)
  if (action === 'create') return html`added the passkey ${passkey}`
  if (action === 'delete') return html`removed the passkey ${passkey}`
  return html`renamed the passkey ${named(String(before?.name ?? ''))} to ${named(String(after?.name ?? subject.name))}`
}

function invitationDeed({ action, before, after }: AuditEntry): HtmlValue | null {
  const values = after ?? before
  const role = ROLES.find((known) => known === values?.role)
  const as = role === undefined ? 'a member' : AS_ROLE[role]
  const email = typeof values?.email === 'string' ? values.email : null
  if (action === 'create') {
    return email === null ? `created an invitation link for ${as}` : html`invited ${named(email)} as ${as}`
  }
  const invitation = email === null ? `the link that invites ${as}` : html`the invitation of ${named(email)}`
  return html`${before?.ended === 'used' ? 'used' : 'revoked'} ${invitation}`
}

function offerDeed({ action, before, after }: AuditEntry): Html {
  const { from, to } = { ...before, ...after }
  if (action !== 'delete') return html`offered to make ${named(String(to))} the owner of the project`
  if (before?.ended === 'accepted') return html`accepted the project from ${named(String(from))}`
  if (before?.ended === 'declined') return html`declined the project, which ${named(String(from))} had offered`
  return html`withdrew the offer of the project to ${named(String(to))}`
}
