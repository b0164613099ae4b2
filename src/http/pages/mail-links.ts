/** The pages behind the links in our emails. A page asks; only its button, or an email program's own (RFC 8058), acts. */
import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import type { Deps } from '../../services/deps.ts'
import {
  followMailLink,
  getMailLink,
  type MailLink,
  type MailLinkPurpose,
  type MailLinkSubject,
} from '../../services/mail/mail-links.ts'
import { MethodNotAllowed } from '../errors.ts'
import { type Html, html } from './html.ts'
import { pageAnswer } from './page.ts'

type Needs = Pick<Deps, 'store' | 'site' | 'log' | 'confirmAddresses' | 'now' | 'random'>

interface Words {
  readonly title: string
  readonly body: (subject: MailLinkSubject) => Html
}

interface Pages {
  readonly question: Words
  readonly button: string
  readonly done: Words
}

const PAGES: Readonly<Record<MailLinkPurpose, Pages>> = {
  confirm: {
    question: {
      title: 'Confirm your address',
      body: ({ address, projectName }) =>
        html`<p>Send alerts for the project <b>${projectName}</b> to <b>${address}</b>?</p>`,
    },
    button: 'Send alerts',
    done: {
      title: 'Your address is confirmed',
      body: ({ address, projectName }) =>
        html`<p>Alerts for the project <b>${projectName}</b> will be sent to <b>${address}</b>. Each has a link to unsubscribe.</p>`,
    },
  },
  alerts: {
    question: {
      title: 'Unsubscribe',
      body: ({ address, projectName }) =>
        html`<p>Stop all emails about the project <b>${projectName}</b>, alerts and reports, to <b>${address}</b>?</p>`,
    },
    button: 'Unsubscribe',
    done: {
      title: 'You are unsubscribed',
      body: ({ address, projectName }) =>
        html`<p>No more emails about the project <b>${projectName}</b> will be sent to <b>${address}</b>.</p>`,
    },
  },
  report: endOf('reports'),
  reminder: endOf('reminders'),
}

/** @param mails the emails to stop; alerts continue */
function endOf(mails: string): Pages {
  return {
    question: {
      title: `Stop ${mails}`,
      body: ({ address, projectName }) =>
        html`<p>Stop ${mails} about the project <b>${projectName}</b> to <b>${address}</b>? Other emails about it continue.</p>`,
    },
    button: `Stop ${mails}`,
    done: {
      title: 'You are unsubscribed',
      body: ({ address, projectName }) =>
        html`<p>No more ${mails} about the project <b>${projectName}</b> will be sent to <b>${address}</b>. Other emails about it continue.</p>`,
    },
  }
}

const PATHS = [
  ['/integrations/:id/verify/:token', 'confirm'],
  ['/integrations/:id/unsub/:token', 'alerts'],
  ['/integrations/:id/unsub/report/:token', 'report'],
  ['/integrations/:id/unsub/reminder/:token', 'reminder'],
] as const

export function mailLinks(deps: Needs) {
  const app = new Elysia()
  for (const [path, purpose] of PATHS) {
    app.all(
      path,
      // Elysia gives null for broken percent-encoding.
      ({ request, params: { id, token } }) =>
        answer(deps, request.method, { purpose, channelId: String(id), token: String(token) }),
      { parse: 'none', detail: { hide: true } },
    )
  }
  return app
}

async function answer(deps: Needs, method: string, link: MailLink): Promise<Response> {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw new MethodNotAllowed(['GET', 'POST'])
  const { question, button, done } = PAGES[link.purpose]
  try {
    if (method === 'POST') return page(deps, done.title, done.body(await followMailLink(deps, link)))
    const subject = await getMailLink(deps, link)
    const form = html`<form method="post"><button>${button}</button></form>`
    return page(deps, question.title, html`${question.body(subject)}${form}`)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found') return unknownLink(deps)
    throw error
  }
}

function page({ site }: Needs, title: string, body: Html, status = 200): Response {
  return pageAnswer({ title, siteName: site.name, body }, status)
}

function unknownLink(deps: Needs): Response {
  const body = html`<p>Your email program may have cut it off, or what it refers to no longer exists.</p>`
  return page(deps, 'This link does not work', body, 404)
}
