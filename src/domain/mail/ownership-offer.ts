/** The email to whom a project is offered. */
import { oneLine } from '../../lib/text/text.ts'
import type { Mail } from '../carrier/mail.ts'
import { foreignText } from './foreign-text.ts'
import { type Addressed, plainMail } from './layout.ts'

interface OwnershipOfferWords extends Addressed {
  readonly siteName: string
  readonly projectName: string
  /** email of the owner */
  readonly offeredBy: string
  /** of the team's page */
  readonly url: string
}

export function ownershipOfferMail(words: OwnershipOfferWords): Mail {
  const { siteName, projectName, offeredBy, url } = words
  const site = oneLine(siteName)
  const what = `${foreignText(offeredBy)} wants you to own the project "${foreignText(projectName)}" on ${site}.`
  return plainMail(words, `A project is offered to you on ${site}`, [
    { kind: 'paragraph', text: `${what} Accept or decline on the team page of the project, within seven days.` },
    { kind: 'button', label: 'See the offer', url },
    { kind: 'paragraph', text: 'Until you accept, nothing changes.' },
  ])
}
