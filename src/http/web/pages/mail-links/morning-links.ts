/** The links in the morning mail. They turn the mail off, or limit it to nights when something went wrong. */
import type { MorningLinkPurpose } from '../../../../domain/mail/links.ts'
import { followMorningLink, getMorningLink, type MorningLink } from '../../../../services/mail/morning/links.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { bdi } from '../../parts/words/text.ts'
import type { Route, Visit } from '../../route.ts'
import { type LinkPages, linkRoutes } from './link-routes.ts'

interface Receiver {
  readonly email: string
}

const PAGES: Readonly<Record<MorningLinkPurpose, LinkPages<Receiver>>> = {
  off: {
    question: {
      title: 'Stop the morning mail',
      body: ({ email }) =>
        html`<p>Stop the morning mail to <b>${bdi(email)}</b>? Alerts and reports will continue.</p>`,
    },
    button: 'Stop the morning mail',
    done: {
      title: 'The morning mail is stopped',
      body: ({ email }) =>
        html`<p>No more morning mails will be sent to <b>${bdi(email)}</b>. Alerts and reports will continue.</p>`,
    },
  },
  trouble: {
    question: {
      title: 'Only when something is wrong',
      body: ({ email }) =>
        html`<p>Send the morning mail to <b>${bdi(email)}</b> only after a night in which something went wrong?</p>`,
    },
    button: 'Only when something is wrong',
    done: {
      title: 'Only when something is wrong',
      body: ({ email }) =>
        html`<p>From now on, a morning mail is sent to <b>${bdi(email)}</b> only after a night in which something went wrong.</p>`,
    },
  },
}

const PURPOSES = ['off', 'trouble'] as const

export function morningLinkRoutes(deps: PageDeps): readonly Route[] {
  return PURPOSES.flatMap((purpose) =>
    linkRoutes<Receiver>(`/morning-mail/:id/${purpose}/:token`, PAGES[purpose], {
      read: (visit) => getMorningLink(deps, linkOf(purpose, visit)),
      follow: (visit) => followMorningLink(deps, linkOf(purpose, visit)),
    }),
  )
}

function linkOf(purpose: MorningLinkPurpose, { params: { id = '', token = '' }, client }: Visit): MorningLink {
  return { purpose, accountId: id, token, address: client.address }
}
