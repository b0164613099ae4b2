/**
 * The message that a page shows after a redirect, about an action that the user has taken. The URL contains only a code for the message, so
 * a forged link cannot make the page show arbitrary text.
 */

import { isProjectSlug } from '../../../domain/project-slug.ts'
import { type Html, html } from '../html.ts'
import { hiddenField } from './forms/fields.ts'
import { icon } from './icons.ts'
import { stateShape } from './words/states.ts'
import { counted } from './words/text.ts'

const WORDS = {
  saved: 'Saved.',
  'project-made': 'Project created.',
  'project-deleted': 'Project deleted.',
  'key-revoked': 'Key revoked.',
  'ping-key-made': 'Ping key created. The other ping keys keep working.',
  'ping-key-replaced': 'Ping key replaced.',
  'member-changed': 'Role changed.',
  'member-removed':
    'Removed from the project. Keys that the person knows still work: replace or revoke them in the settings.',
  'project-left': 'You have left the project.',
  'project-joined': 'You have joined this project.',
  'project-known': 'You are already a member of this project, with this role or a higher one.',
  'invitation-mailed': 'Invitation sent.',
  'invitation-revoked': 'Invitation revoked.',
  'ownership-offered': 'Offer sent. You own the project until the offer is accepted.',
  'ownership-accepted': 'You now own this project.',
  'ownership-declined': 'Offer declined.',
  'ownership-withdrawn': 'Offer withdrawn.',
  'account-made': 'Account created. Now create a project for your first check.',
  'signed-out': 'You are signed out.',
  'sign-in-ended': 'That took too long. Sign in again.',
  confirmed: 'Thank you. You will not be asked again for 30 minutes.',
  'password-set': 'Password saved.',
  'password-changed': 'Password changed. Your other sessions have ended.',
  'identity-linked': 'Account linked. You can now use it to sign in. Your other sessions have ended.',
  'identity-unlinked': 'Identity unlinked. Your other sessions have ended.',
  'passkey-added': 'Passkey added. Your other sessions have ended.',
  'passkey-removed': 'Passkey removed. Your other sessions have ended.',
  'app-removed': 'Authenticator app removed. Your other sessions have ended.',
  'email-changed': 'Email changed. Your other sessions have ended.',
  'email-same': 'Your account already has this email.',
  'account-closed': 'Account closed.',
  'session-ended': 'Session ended.',
  'sessions-ended': 'All other sessions have ended.',
  'account-added': 'Account created.',
  'account-deleted': 'Account deleted.',
  'account-suspended': 'Account suspended. Its sessions have ended.',
  'account-unsuspended': 'The account can sign in again.',
  'account-signed-out': 'All sessions of the account have ended.',
  'administrator-made': 'The account now has admin rights.',
  'administrator-unmade': 'The account no longer has admin rights.',
  'mail-server-removed': 'Mail server removed.',
  'second-factor-removed': 'Second factor removed. All sessions of the account have ended.',
  'check-made': 'Check created. It is waiting for its first ping.',
  'check-copied': 'This is the copy. It is waiting for its first ping.',
  'check-transferred': 'Check transferred to this project. It alerts all integrations of the project.',
  'check-cleared': 'Log cleared. The check is new again.',
  'schedule-saved': 'Schedule saved.',
  'rules-saved': 'Rules saved.',
  'integrations-saved': 'Integrations saved.',
  'integration-deleted': 'Integration deleted.',
  'test-sent': 'The test was sent, and the receiver accepted it.',
  'integration-made': 'Integration added.',
  'integration-saved': 'Integration saved.',
  muted: 'Muted. No alerts are sent until then.',
  'window-planned': 'Window planned. Nobody is alerted during it.',
  'mute-changed': 'Mute changed. If a check is no longer muted and is still down, the alert is sent now.',
  unmuted: 'No longer muted. If a check is still down, the alert is sent now.',
  'incident-taken': 'You are on it. Everyone can see that.',
  'incident-handed-back': 'Nobody is on it now.',
  'incident-over': 'Nothing changed: the incident has ended.',
  'incident-free': 'Nothing changed: nobody is on it.',
  'note-added': 'Note added.',
  'alert-due': 'The alert will be sent as soon as the integration is free.',
  'alert-not-due': 'The alert is already due, and will be attempted within half a minute.',
  'alert-behind': 'An earlier alert of the same check must be sent first. Retry that one.',
  'alert-superseded':
    'A later alert of the same check is waiting for this integration. Retry this alert after the later one was sent or has failed.',
  'alert-cancelled': 'Alert cancelled.',
  'alert-outdated': 'Not sent yet: a later alert of this check has arrived.',
  'alert-not-cancelled':
    'Not cancelled: the alert is being sent, was sent or has failed. Reload the page in half a minute.',
  'alert-ended': 'Nothing changed: the alert has already been sent.',
  'alerts-due': (count) =>
    `${counted(count, 'alert', 'alerts')} will be sent now, one after another for each integration.`,
  'alerts-not-due': 'No alerts are waiting for a retry.',
  'reports-saved': 'Reports saved.',
  'reports-off': 'Morning mails, reports and reminders to your address are off.',
  'ping-sent': 'Ping sent.',
  'check-paused': 'Check paused.',
  'check-resumed': 'Check resumed. It is not monitored until its next ping.',
  'check-watched': 'The check is monitored from now on.',
  'checks-paused': (count) => `${checks(count)} paused.`,
  'checks-resumed': (count) => `${checks(count)} resumed.`,
  'checks-tagged': (count) => `${checks(count)} tagged.`,
  'checks-untagged': (count) => `${checks(count)} untagged.`,
  'checks-assigned': (count) => `${checks(count)} assigned.`,
  'checks-unassigned': (count) => `${checks(count)} unassigned.`,
  'checks-changed': (count) => `${checks(count)} changed.`,
  'checks-deleted': (count) => `${checks(count)} deleted.`,
  'advice-withdrawn':
    'Nothing changed: the advice no longer applies. Someone has changed the check, or its job runs differently.',
  'advice-again': 'The advice is shown again.',
  'nothing-changed': 'Nothing changed.',
  'nothing-selected': 'Nothing was selected.',
  'section-removed': 'Section removed.',
  'checks-made': (count) => `${checks(count)} created. Each is waiting for its first ping.`,
  undone: (count) => `Undone: ${checks(count)} restored.`,
  'undone-some': (count) =>
    `Undone: ${checks(count)} restored. The others have changed since then, and stay as they are.`,
  'undone-creation': (count) => `Undone: ${checks(count)} deleted.`,
  'undone-creation-some': (count) =>
    `Undone: ${checks(count)} deleted. The others have been pinged or changed since then, and stay.`,
  'undone-none': 'Nothing was undone: the checks have changed since then.',
  'undo-ended': 'This can no longer be undone.',
} as const satisfies Readonly<Record<string, string | ((count: number) => string)>>

export type ToastCode = keyof typeof WORDS

function checks(count: number): string {
  return counted(count, 'check', 'checks')
}

/** An action that was taken, for the message after the redirect. */
export interface Done {
  readonly code: ToastCode
  /** number of objects that the action changed; 1 by default */
  readonly count?: number
  /** number of objects that the action left unchanged because of an error; 0 by default */
  readonly left?: number
  /** token for `undoChange`; null if the action cannot be undone */
  readonly undo?: string | null
  /** on a page outside projects: slug of the project in which the user can undo the action */
  readonly undoIn?: string | null
}

/** Names of the URL parameters. */
const CODE = 'done'
const COUNT = 'done-n'
const LEFT = 'done-left'
const UNDO = 'undo'
const UNDO_IN = 'undo-in'

/** Adds the message to the next page's URL. */
export function withDone(path: string, done: Done): string {
  const { code, count, left, undo, undoIn } = done
  const parameters = new URLSearchParams({ [CODE]: code })
  if (count !== undefined) parameters.set(COUNT, String(count))
  if (left) parameters.set(LEFT, String(left))
  if (undo) parameters.set(UNDO, undo)
  if (undo && undoIn) parameters.set(UNDO_IN, undoIn)
  return `${path}${path.includes('?') ? '&' : '?'}${parameters}`
}

/** The action that a URL reports. */
export interface ToldDone extends Required<Omit<Done, 'undoIn'>>, Pick<Done, 'undoIn'> {
  /** the page's URL without these parameters */
  readonly back: string
}

/** Reads the action in a URL; null if the URL contains no known code. The count and the token may be forged. */
export function readDone({ pathname, searchParams }: URL): ToldDone | null {
  const code = searchParams.get(CODE)
  if (code === null || !Object.hasOwn(WORDS, code)) return null
  const undo = searchParams.get(UNDO)
  const undoIn = searchParams.get(UNDO_IN)
  const others = new URLSearchParams(searchParams)
  for (const name of [CODE, COUNT, LEFT, UNDO, UNDO_IN]) others.delete(name)
  return {
    code: code as ToastCode,
    count: readNumber(searchParams.get(COUNT)) ?? 1,
    left: readNumber(searchParams.get(LEFT)) ?? 0,
    undo: undo !== null && TOKEN.test(undo) ? undo : null,
    undoIn: undoIn !== null && isProjectSlug(undoIn) ? undoIn : null,
    back: others.size === 0 ? pathname : `${pathname}?${others}`,
  }
}

function readNumber(text: string | null): number | null {
  const number = Number(text ?? Number.NaN)
  return Number.isSafeInteger(number) && number >= 0 ? number : null
}

const TOKEN = /^[\w-]{1,100}$/

/**
 * Renders a message that disappears after a few seconds. If an error stopped the action halfway, the message is a permanent note at the top
 * of the page instead.
 * @param undoPath path to post the token to, including SITE_ROOT's path; null if unknown
 */
export function toast({ code, count, left, undo, back }: ToldDone, undoPath: string | null): Html {
  const words: string | ((count: number) => string) = WORDS[code]
  const said = typeof words === 'string' ? words : words(count)
  const button =
    undo !== null &&
    undoPath !== null &&
    html`<form method="post" action="${undoPath}">${hiddenField('token', undo)}${hiddenField('back', back)}<button>Undo</button></form>`
  if (left > 0)
    return html`<div class="note down" role="alert" data-told>${stateShape('down')}<p>${said} ${stopped(left)}</p>${button}</div>`
  return html`<div class="toasts" role="status"><div class="toast" data-toast data-told>${icon('tick')}<p>${said}</p>${button}</div></div>`
}

function stopped(left: number): string {
  return `Then an error occurred: ${left === 1 ? '1 check is' : `${left} checks are`} unchanged. The server log contains the reason.`
}
