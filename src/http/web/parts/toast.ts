/**
 * The message of the page after a redirect: the action that was done. The address contains a code of the message, so nobody can make the
 * page show another text.
 */

import { isProjectSlug } from '../../../domain/project-slug.ts'
import { type Html, html } from '../html.ts'
import { hiddenField } from './forms/fields.ts'
import { icon } from './icons.ts'
import { stateShape } from './words/states.ts'
import { counted } from './words/text.ts'

const WORDS = {
  saved: 'Saved.',
  'project-made': 'The project is created.',
  'project-deleted': 'The project is deleted.',
  'key-revoked': 'The key is revoked.',
  'ping-key-made': 'The project has another ping key. The others keep working.',
  'ping-key-replaced': 'The project has a new ping key.',
  'member-changed': 'The role is changed.',
  'member-removed':
    'Removed from the project. Keys that the person knows still work: replace or revoke them in the settings.',
  'project-left': 'You have left the project.',
  'project-joined': 'You are in this project now.',
  'project-known': 'You were in this project already, with this role or a better one.',
  'invitation-mailed': 'The invitation is mailed.',
  'invitation-revoked': 'The invitation is revoked.',
  'ownership-offered': 'The project is offered. You own it until the offer is accepted.',
  'ownership-accepted': 'You own this project now.',
  'ownership-declined': 'The offer is declined.',
  'ownership-withdrawn': 'The offer is withdrawn.',
  'account-made': 'Your account is created. Create a project for your first check.',
  'signed-out': 'You are signed out.',
  'sign-in-ended': 'That took too long. Sign in again.',
  confirmed: 'Thank you. You will not be asked again for 30 minutes.',
  'password-set': 'The password is saved.',
  'password-changed': 'The password is changed. Your other sessions ended.',
  'identity-linked': 'Your account is linked. You can sign in with it from now on. Your other sessions ended.',
  'identity-unlinked': 'The identity is unlinked. Your other sessions ended.',
  'passkey-added': 'The passkey is added. Your other sessions ended.',
  'passkey-removed': 'The passkey is removed. Your other sessions ended.',
  'app-removed': 'The authenticator app is removed. Your other sessions ended.',
  'email-changed': 'The email is changed. Your other sessions ended.',
  'email-same': 'Your account has this email already.',
  'account-closed': 'The account is closed.',
  'session-ended': 'The session has ended.',
  'sessions-ended': 'All other sessions have ended.',
  'account-added': 'The account is created.',
  'account-deleted': 'The account is deleted.',
  'account-suspended': 'The account is suspended, and its sessions have ended.',
  'account-unsuspended': 'The account can sign in again.',
  'account-signed-out': 'All sessions of the account have ended.',
  'administrator-made': 'The account has admin rights.',
  'administrator-unmade': 'The account no longer has admin rights.',
  'mail-server-removed': 'The mail server is removed.',
  'second-factor-removed': 'The second factor is removed, and all sessions of the account have ended.',
  'check-made': 'The check is created. It waits for its first ping.',
  'check-copied': 'This is the copy. It waits for its first ping.',
  'check-transferred': 'The check is in this project now. It alerts all integrations of the project.',
  'check-cleared': 'The log is empty, and the check is new.',
  'schedule-saved': 'The schedule is saved.',
  'rules-saved': 'The rules are saved.',
  'integrations-saved': 'The integrations are saved.',
  'integration-deleted': 'The integration is deleted.',
  'test-sent': 'The test was sent, and the receiver accepted it.',
  'integration-made': 'The integration is added.',
  'integration-saved': 'The integration is saved.',
  muted: 'Muted. No alerts until then.',
  'window-planned': 'Planned. Nobody is alerted in the window.',
  'mute-changed': 'Changed. What it no longer holds is alerted now, if it is still wrong.',
  unmuted: 'No longer muted. What is still wrong is alerted now.',
  'incident-taken': 'You are on it. Everybody sees that.',
  'incident-handed-back': 'Nobody is on it now.',
  'incident-over': 'Nothing changed: the incident is over.',
  'incident-free': 'Nothing changed: nobody is on it.',
  'note-added': 'The note is added.',
  'alert-due': 'The alert is sent as soon as the integration is free.',
  'alert-not-due': 'The alert is already due, and is tried within half a minute.',
  'alert-behind': 'An earlier alert of the same check goes first. Retry that one.',
  'alert-superseded':
    'A later alert of the same check waits for this integration. Retry this one when that one was sent or has failed.',
  'alert-cancelled': 'The alert is cancelled.',
  'alert-outdated': 'Not sent yet: a later alert of this check has arrived.',
  'alert-not-cancelled':
    'Not cancelled: the alert is being sent, was sent or has failed. Reload the page in half a minute.',
  'alert-ended': 'Nothing changed: the alert was sent.',
  'alerts-due': (count) =>
    `${counted(count, 'alert is', 'alerts are')} sent now, one after another to each integration.`,
  'alerts-not-due': 'No alert waits for a retry.',
  'reports-saved': 'The reports are saved.',
  'reports-off': 'Morning mails, reports and reminders to your address are off.',
  'ping-sent': 'A ping was sent.',
  'check-paused': 'The check is paused.',
  'check-resumed': 'The check is resumed. It is not watched until its next ping.',
  'check-watched': 'The check is watched from now on.',
  'checks-paused': (count) => `${checks(count)} paused.`,
  'checks-resumed': (count) => `${checks(count)} resumed.`,
  'checks-tagged': (count) => `${checks(count)} tagged.`,
  'checks-untagged': (count) => `${checks(count)} untagged.`,
  'checks-assigned': (count) => `${checks(count)} assigned.`,
  'checks-unassigned': (count) => `${checks(count)} unassigned.`,
  'checks-changed': (count) => `${checks(count)} changed.`,
  'checks-deleted': (count) => `${checks(count)} deleted.`,
  'advice-withdrawn':
    'Nothing changed: the advice no longer holds. Somebody has changed the check, or its job runs differently.',
  'advice-again': 'The advice is shown again.',
  'nothing-changed': 'Nothing changed.',
  'nothing-selected': 'Nothing was selected.',
  'section-removed': 'The section is removed.',
  'checks-made': (count) => `${checks(count)} created. Each waits for its first ping.`,
  undone: (count) => `Undone: ${checks(count)} put back.`,
  'undone-some': (count) => `Undone: ${checks(count)} put back. The others have changed since, and stay as they are.`,
  'undone-creation': (count) => `Undone: ${checks(count)} deleted.`,
  'undone-creation-some': (count) =>
    `Undone: ${checks(count)} deleted. The others were pinged or changed since, and stay.`,
  'undone-none': 'Nothing was undone: the checks have changed since.',
  'undo-ended': 'This can no longer be undone.',
} as const satisfies Readonly<Record<string, string | ((count: number) => string)>>

export type ToastCode = keyof typeof WORDS

function checks(count: number): string {
  return counted(count, 'check', 'checks')
}

/** A finished action. */
export interface Done {
  readonly code: ToastCode
  /** number of things that it changed; 1 by default */
  readonly count?: number
  /** number of things that it left unchanged because of an error; 0 by default */
  readonly left?: number
  /** for `undoChange`; null if it can't be undone */
  readonly undo?: string | null
  /** slug of the project in which it can be undone, on a page outside projects */
  readonly undoIn?: string | null
}

/** Names of the parameters in an address. */
const CODE = 'done'
const COUNT = 'done-n'
const LEFT = 'done-left'
const UNDO = 'undo'
const UNDO_IN = 'undo-in'

/** Adds the message to the address of the next page. */
export function withDone(path: string, done: Done): string {
  const { code, count, left, undo, undoIn } = done
  const parameters = new URLSearchParams({ [CODE]: code })
  if (count !== undefined) parameters.set(COUNT, String(count))
  if (left) parameters.set(LEFT, String(left))
  if (undo) parameters.set(UNDO, undo)
  if (undo && undoIn) parameters.set(UNDO_IN, undoIn)
  return `${path}${path.includes('?') ? '&' : '?'}${parameters}`
}

/** The action in an address. */
export interface ToldDone extends Required<Omit<Done, 'undoIn'>>, Pick<Done, 'undoIn'> {
  /** the address without the action, to return to */
  readonly back: string
}

/** Returns null for an address without a code of the table. Count and token may be made up. */
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
 * Renders a line that disappears by itself. If an error stopped the action half way, the line stays at the top of the page.
 * @param undoPath path to which the token is posted, with the path of SITE_ROOT; null: unknown
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
  return `Then an error stopped it: ${left === 1 ? '1 check is' : `${left} checks are`} left. The log of the server says why.`
}
