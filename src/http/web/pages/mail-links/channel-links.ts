/** The links in messages from an email integration. They confirm an address or unsubscribe it. */
import {
  followMailLink,
  getMailLink,
  type MailLink,
  type MailLinkPurpose,
  type MailLinkSubject,
} from '../../../../services/mail/mail-links.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { bdi } from '../../parts/words/text.ts'
import type { Route, Visit } from '../../route.ts'
import { type LinkPages, linkRoutes } from './link-routes.ts'

const PAGES: Readonly<Record<MailLinkPurpose, LinkPages<MailLinkSubject>>> = {
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
        html`<p>Stop all emails to <b>${bdi(address)}</b> about the project <b>${bdi(projectName)}</b>, including alerts and reports?</p>`,
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

/** Returns the pages for a link that stops reports or reminders but leaves alerts on. @param mails which emails the link stops */
function endOf(mails: string): LinkPages<MailLinkSubject> {
  return {
    question: {
      title: `Stop ${mails}`,
      body: ({ address, projectName }) =>
        html`<p>Stop ${mails} to <b>${bdi(address)}</b> about the project <b>${bdi(projectName)}</b>? Other emails about the project will continue.</p>`,
    },
    button: `Stop ${mails}`,
    done: {
      title: 'You are unsubscribed',
      body: ({ address, projectName }) =>
        html`<p>No more ${mails} about the project <b>${bdi(projectName)}</b> will be sent to <b>${bdi(address)}</b>. Other emails about the project will continue.</p>`,
    },
  }
}

const PATHS = [
  ['/integrations/:id/verify/:token', 'confirm'],
  ['/integrations/:id/unsub/:token', 'alerts'],
  ['/integrations/:id/unsub/report/:token', 'report'],
  ['/integrations/:id/unsub/reminder/:token', 'reminder'],
] as const

export function channelLinkRoutes(deps: PageDeps): readonly Route[] {
  return PATHS.flatMap(([path, purpose]) =>
    linkRoutes(path, PAGES[purpose], {
      read: (visit) => getMailLink(deps, linkOf(purpose, visit)),
      follow: (visit) => followMailLink(deps, linkOf(purpose, visit)),
    }),
  )
}

function linkOf(purpose: MailLinkPurpose, { params: { id = '', token = '' } }: Visit): MailLink {
  return { purpose, channelId: id, token }
}
