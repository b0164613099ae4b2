/** Pages for rejected requests and errors. They explain the problem and what to do next. */
import { html } from '../html.ts'
import { linkButton } from '../parts/forms/buttons.ts'
import { sentence } from '../parts/words/text.ts'
import type { GateContent, PageSite } from '../route.ts'

interface PageError {
  readonly status: number
  /** the message that API clients and scripts get */
  readonly message: string
  /** id of an internal error, which is also in the server log; null for other errors */
  readonly id: string | null
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Sign in to continue',
  403: 'No access',
  404: 'Page not found',
  405: 'Not possible on this page',
  409: 'Not possible right now',
  413: 'Too large',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
}

const NOT_FOUND = 'not found'

/** Messages for readers, in place of the messages that API clients and scripts get. */
const WORDS: Readonly<Record<string, string>> = {
  unauthorized: 'You are signed out, and your changes were not saved.',
  forbidden: 'Your role does not allow this. Ask the owner of the project, or an administrator.',
  'this is read-only access': 'You have read-only access to this project. Ask its owner to change your role.',
  'rate limit exceeded': 'Too many requests from your network. Wait a minute, then try again.',
  [NOT_FOUND]: 'It may have been deleted, or you don’t have access.',
}

export function errorPage({ href }: PageSite, { status, message, id }: PageError): GateContent {
  const words = WORDS[message] ?? sentence(message)
  const isLink = status === 404 && message.startsWith('this link')
  const isSignedOut = status === 401
  const way = isSignedOut
    ? linkButton({ text: 'Sign in', href: href('/sign-in'), look: 'primary' })
    : linkButton({ text: 'Back to overview', href: href('/') })
  return {
    layout: 'gate',
    title: isLink ? 'This link no longer works' : (TITLES[status] ?? 'Something went wrong'),
    body: html`<p>${words}</p>${id !== null && html`<p class="muted">Details are in the server log under <code>${id}</code>.</p>`}<p class="acts">${way}</p>`,
  }
}
