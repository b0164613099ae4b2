/** The pages behind the links in our emails. A page asks; only its button, or an email program's own (RFC 8058), acts. */

import { Refusal } from '../../../domain/errors.ts'
import {
  followMailLink,
  getMailLink,
  type MailLink,
  type MailLinkPurpose,
  type MailLinkSubject,
} from '../../../services/mail/mail-links.ts'
import { type Html, html } from '../html.ts'
import type { Page, PageDeps } from '../page.ts'
import { submit } from '../parts/forms/buttons.ts'
import { bdi } from '../parts/words/text.ts'
import type { PageAnswer, Route, Visit } from '../route.ts'
import { publicRoute } from './new-route.ts'

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
        html`<p>Send alerts for the project <b>${bdi(projectName)}</b> to <b>${bdi(address)}</b>?</p>`,
    },
    button: 'Send alerts',
    done: {
      title: 'Your address is confirmed',
      body: ({ address, projectName }) =>
        html`<p>Alerts for the project <b>${bdi(projectName)}</b> will be sent to <b>${bdi(address)}</b>. Each has a link to unsubscribe.</p>`,
    },
  },
  alerts: {
    question: {
      title: 'Unsubscribe',
      body: ({ address, projectName }) =>
        html`<p>Stop all emails about the project <b>${bdi(projectName)}</b>, alerts and reports, to <b>${bdi(address)}</b>?</p>`,
    },
    button: 'Unsubscribe',
    done: {
      title: 'You are unsubscribed',
      body: ({ address, projectName }) =>
        html`<p>No more emails about the project <b>${bdi(projectName)}</b> will be sent to <b>${bdi(address)}</b>.</p>`,
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
        html`<p>Stop ${mails} about the project <b>${bdi(projectName)}</b> to <b>${bdi(address)}</b>? Other emails about it continue.</p>`,
    },
    button: `Stop ${mails}`,
    done: {
      title: 'You are unsubscribed',
      body: ({ address, projectName }) =>
        html`<p>No more ${mails} about the project <b>${bdi(projectName)}</b> will be sent to <b>${bdi(address)}</b>. Other emails about it continue.</p>`,
    },
  }
}

const PATHS = [
  ['/integrations/:id/verify/:token', 'confirm'],
  ['/integrations/:id/unsub/:token', 'alerts'],
  ['/integrations/:id/unsub/report/:token', 'report'],
  ['/integrations/:id/unsub/reminder/:token', 'reminder'],
] as const

export const page: Page = {
  routes: mailLinkRoutes,
  fixtures: {
    'GET /integrations/:id/verify/:token': { for: 'everybody', at: '{confirm}' },
    'POST /integrations/:id/verify/:token': { for: 'everybody', status: 200, at: '{confirm}' },
    'GET /integrations/:id/unsub/:token': { for: 'everybody', at: '{unsubscribe:alerts}' },
    'POST /integrations/:id/unsub/:token': { for: 'everybody', status: 200, at: '{unsubscribe:alerts}' },
    'GET /integrations/:id/unsub/report/:token': { for: 'everybody', at: '{unsubscribe:report}' },
    'POST /integrations/:id/unsub/report/:token': { for: 'everybody', status: 200, at: '{unsubscribe:report}' },
    'GET /integrations/:id/unsub/reminder/:token': { for: 'everybody', at: '{unsubscribe:reminder}' },
    'POST /integrations/:id/unsub/reminder/:token': { for: 'everybody', status: 200, at: '{unsubscribe:reminder}' },
  },
}

function mailLinkRoutes(deps: PageDeps): readonly Route[] {
  return PATHS.flatMap(([path, purpose]): Route[] => {
    const { question, button, done } = PAGES[purpose]
    return [
      publicRoute('GET', path, (visit) =>
        answer(async () => {
          const subject = await getMailLink(deps, linkOf(purpose, visit))
          const form = html`<form method="post">${submit({ text: button, look: 'primary' })}</form>`
          return gate(question.title, html`${question.body(subject)}${form}`)
        }),
      ),
      publicRoute(
        'POST',
        path,
        (visit) => answer(async () => gate(done.title, done.body(await followMailLink(deps, linkOf(purpose, visit))))),
        { acceptsAnyOrigin: true },
      ),
    ]
  })
}

function linkOf(purpose: MailLinkPurpose, { params: { id = '', token = '' } }: Visit): MailLink {
  return { purpose, channelId: id, token }
}

async function answer(work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found') return unknownLink()
    throw error
  }
}

function gate(title: string, body: Html, status = 200): PageAnswer {
  return { kind: 'page', status, page: { layout: 'gate', title, body } }
}

function unknownLink(): PageAnswer {
  const body = html`<p>Your email program may have cut it off, or what it refers to no longer exists.</p>`
  return gate('This link does not work', body, 404)
}
