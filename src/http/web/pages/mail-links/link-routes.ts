/**
 * The page for a link in an email. Opening the link changes nothing. A change requires the button on the page, or the email program's
 * unsubscribe button (RFC 8058).
 */
import { Refusal } from '../../../../domain/errors.ts'
import { type Html, html } from '../../html.ts'
import { submit } from '../../parts/forms/buttons.ts'
import type { PageAnswer, Route, Visit } from '../../route.ts'
import { publicRoute } from '../new-route.ts'

interface Words<Subject> {
  readonly title: string
  readonly body: (subject: Subject) => Html
}

/** @template Subject type of the object that the link refers to */
export interface LinkPages<Subject> {
  readonly question: Words<Subject>
  readonly button: string
  readonly done: Words<Subject>
}

interface LinkWork<Subject> {
  /**
   * Loads the object that the link refers to. It must not change anything, because programs that scan emails also follow links.
   * @throws Refusal `not-found` for an unknown link
   */
  readonly read: (visit: Visit) => Promise<Subject>
  /** Performs the link's action. @throws Refusal `not-found` for an unknown link */
  readonly follow: (visit: Visit) => Promise<Subject>
}

export function linkRoutes<Subject>(
  path: string,
  { question, button, done }: LinkPages<Subject>,
  { read, follow }: LinkWork<Subject>,
): readonly Route[] {
  return [
    publicRoute('GET', path, (visit) =>
      answer(async () => {
        const subject = await read(visit)
        const form = html`<form method="post">${submit({ text: button, look: 'primary' })}</form>`
        return gate(question.title, html`${question.body(subject)}${form}`)
      }),
    ),
    publicRoute('POST', path, (visit) => answer(async () => gate(done.title, done.body(await follow(visit)))), {
      acceptsAnyOrigin: true,
    }),
  ]
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
  const body = html`<p>Your email program may have cut it off, or its account, integration or project was deleted.</p>`
  return gate('This link does not work', body, 404)
}
