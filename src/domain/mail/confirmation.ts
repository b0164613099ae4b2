/** The email that asks the owner of an address to confirm its alerts. */

import { oneLine } from '../../lib/text.ts'
import type { Mail } from '../carrier/mail.ts'
import { foreignText } from './foreign-text.ts'
import { mailParts } from './layout.ts'

export interface ConfirmationRequest {
  /** see {@link Mail.id} */
  readonly id: string
  readonly address: string
  readonly projectName: string
  readonly siteName: string
  readonly confirmUrl: string
}

export function confirmationMail({ id, address, projectName, siteName, confirmUrl }: ConfirmationRequest): Mail {
  const site = oneLine(siteName)
  const project = foreignText(projectName)
  const parts = mailParts({
    title: `Confirm alerts from ${site}`,
    tone: 'plain',
    blocks: [
      {
        kind: 'paragraph',
        text: `Someone with access to the project "${project}" on ${site} wants to send its alerts to ${address}. Nothing is sent until you confirm.`,
      },
      { kind: 'button', label: 'Confirm this address', url: confirmUrl },
      { kind: 'paragraph', text: "If you didn't expect this, ignore it: you won't get any alerts." },
    ],
    footer: [],
  })
  return { id, to: address, subject: `Confirm alerts from ${site}`, ...parts, unsubscribeUrl: null }
}
