/** What the page after a redirect says was done. Its address names the words, so nobody can put others into it. */
import { type Html, html } from '../html.ts'
import { icon } from './icons.ts'

const WORDS = {
  saved: 'Saved.',
  'project-made': 'The project is made.',
  'project-renamed': 'The project has its new name.',
  'signed-out': 'You are signed out.',
  'password-set': 'The password is saved.',
  'password-changed': 'The password is changed. Your other sessions ended.',
  'session-ended': 'The session is ended.',
  'sessions-ended': 'All other sessions are ended.',
  'integrations-saved': 'The integrations are saved.',
  'ping-sent': 'A ping was sent.',
} as const

export type ToastCode = keyof typeof WORDS

/** Name of the code in an address. */
export const TOAST_PARAMETER = 'done'

/** Null for a code that is not in the table. */
export function toastCode(text: string | null): ToastCode | null {
  return text !== null && Object.hasOwn(WORDS, text) ? (text as ToastCode) : null
}

export function toast(code: ToastCode): Html {
  return html`<div class="toasts" role="status"><p class="toast" data-toast>${icon('tick')}${WORDS[code]}</p></div>`
}
