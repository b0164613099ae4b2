/** Notes about projects whose ownership has been offered to the reader. */
import type { OfferOfProject } from '../../../services/accounts/ownership.ts'
import { type Href, projectPath } from '../href.ts'
import { type Html, html } from '../html.ts'
import { note } from './notes.ts'
import { bdi } from './words/text.ts'

export function offerNotes(href: Href, offers: readonly OfferOfProject[]): readonly Html[] {
  return offers.map(({ offer, project }) =>
    note(
      'plain',
      html`${bdi(offer.fromEmail)} offers you the project ${bdi(project.name)}. <a href="${href(projectPath(project.slug, 'team'))}">Accept or decline it</a>`,
    ),
  )
}
