/** Audit log sentences about accounts. */
import type { AuditEntry, AuditValues } from '../../../../domain/audit/audit.ts'
import { type Html, html } from '../../html.ts'
import { bdi } from '../../parts/words/text.ts'

/** Renders a phrase such as `changed the password` or `suspended the account jane@example.org`, to be shown after the author's name. */
export function accountDeed({ action, author, subject, before, after }: AuditEntry): Html {
  const isOwn = author.accountId === subject.id
  const email = html`<b>${bdi(subject.name)}</b>`
  if (action === 'create') return isOwn ? html`created an account` : html`created the account ${email}`
  if (action === 'delete') return isOwn ? html`closed the account` : html`deleted the account ${email}`
  const changes = { before: before ?? {}, after: after ?? {}, email }
  const deeds = DEEDS.flatMap((deed) => deed(changes) ?? [])
  const words = deeds.length > 0 ? joined(deeds) : html`changed the account`
  // Phrases about suspensions and administrator rights already name the account.
  return isOwn || deeds.some((deed) => deed.text.includes(email.text)) ? words : html`${words} of ${email}`
}

interface Changes {
  readonly before: AuditValues
  readonly after: AuditValues
  /** the account's email address, as HTML */
  readonly email: Html
}

/** One function for each kind of change. It returns a phrase, or null if the entry does not contain that kind of change. */
const DEEDS: readonly ((changes: Changes) => Html | null)[] = [
  ({ after, email }) => {
    if (after.suspended === undefined) return null
    return after.suspended === true ? html`suspended ${email}` : html`ended the suspension of ${email}`
  },
  ({ after, email }) => {
    if (after.administrator === undefined) return null
    return after.administrator === true
      ? html`made ${email} an administrator`
      : html`removed ${email} as an administrator`
  },
  ({ before, after }) => {
    if (after.email === undefined) return null
    return html`changed the email from <b>${bdi(String(before.email))}</b> to <b>${bdi(String(after.email))}</b>`
  },
  ({ after }) => {
    if (after.password_changed !== true) return null
    if (after.has_password === undefined) return html`changed the password`
    return after.has_password === true ? html`set a password` : html`removed the password`
  },
  ({ after }) => (after.email_confirmed === true ? html`confirmed the email` : null),
  ({ after }) => {
    if (after.authenticator_changed === true) return html`replaced the authenticator app`
    if (after.second_factor === undefined) return null
    return after.second_factor === true ? html`set up the authenticator app` : html`removed the authenticator app`
  },
  ({ after }) => (after.recovery_codes_changed === true ? html`created new recovery codes` : null),
  ({ after }) => (after.password_link === true ? html`created a link to set a password` : null),
  ({ after }) => (after['sign-in_link'] === true ? html`created a sign-in link` : null),
  ({ after }) => (after.tz === undefined ? null : html`changed the time zone to ${bdi(String(after.tz))}`),
  ({ after }) => (after.theme === undefined ? null : html`changed the theme to ${bdi(String(after.theme))}`),
  ({ after }) => {
    if (after.shortcuts === undefined) return null
    return after.shortcuts === true ? html`turned on the shortcuts` : html`turned off the shortcuts`
  },
  ({ after }) =>
    after.list_rows === undefined ? null : html`changed the density of lists to ${bdi(String(after.list_rows))}`,
  ({ after }) => {
    if (after.list_picture === undefined) return null
    return html`set lists to show the last ${after.list_picture === '24h' ? '24 hours' : '30 runs'}`
  },
]

function joined(deeds: readonly Html[]): Html {
  return html`${deeds.map((deed, index) => html`${index > 0 && (index === deeds.length - 1 ? ' and ' : ', ')}${deed}`)}`
}
