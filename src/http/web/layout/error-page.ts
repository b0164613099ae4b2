/** Refusals and errors as pages: what is wrong, and what to do next. */
import { html } from '../html.ts'
import { linkButton } from '../parts/buttons.ts'
import { sentence } from '../parts/text.ts'
import type { GateContent, PageSite } from '../route.ts'

interface PageError {
  readonly status: number
  /** as programs get it */
  readonly message: string
  /** of what is the server's fault, in the log line too; else null */
  readonly id: string | null
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'This could not be read',
  401: 'Sign in first',
  403: 'You may not do this',
  404: 'There is no such page',
  405: 'This page does not do that',
  409: 'This is not possible now',
  413: 'This is too much',
  429: 'Too many requests',
  503: 'Not available now',
}

const NOT_FOUND = 'not found'

/** For messages that are made for programs. */
const WORDS: Readonly<Record<string, string>> = {
  unauthorized: 'You are signed out. What you sent was not kept.',
  forbidden: 'Your role does not include this. Ask the owner of the project, or an administrator.',
  'this is read-only access': 'You may look at this project, not change it. Ask its owner.',
  'rate limit exceeded': 'Your network has asked for too many pages. Wait a minute, then try again.',
  [NOT_FOUND]: 'The address may have a mistake, or what it named is gone. Or you may not see it.',
}

export function errorPage({ href }: PageSite, { status, message, id }: PageError): GateContent {
  const words = WORDS[message] ?? sentence(message)
  const isLink = status === 404 && message !== NOT_FOUND
  const isSignedOut = status === 401
  const way = isSignedOut
    ? linkButton({ text: 'Sign in', href: href('/sign-in'), look: 'primary' })
    : linkButton({ text: 'Go to the start', href: href('/') })
  return {
    layout: 'gate',
    title: isLink ? 'This link does not work any more' : (TITLES[status] ?? 'Something went wrong'),
    body: html`<p>${words}</p>${id !== null && html`<p class="muted">The log of the server has it under <code>${id}</code>.</p>`}<p class="acts">${way}</p>`,
  }
}
