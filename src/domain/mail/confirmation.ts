/** The email that asks the owner of an address to confirm its alerts. */

import { oneLine } from '../../lib/text/text.ts'
import type { Mail } from '../carrier/mail.ts'
import { foreignText } from './foreign-text.ts'
import { type Addressed, plainMail } from './layout.ts'

interface ConfirmationRequest extends Addressed {
  readonly projectName: string
  readonly siteName: string
  readonly confirmUrl: string
}

export function confirmationMail(words: ConfirmationRequest): Mail {
  const { address, projectName, siteName, confirmUrl } = words
  const site = oneLine(siteName)
  const project = foreignText(projectName)
  return plainMail(words, `Confirm alerts from ${site}`, [
    {
      kind: 'paragraph',
      text: `Someone with access to the project "${project}" on ${site} wants to send its alerts to ${address}. Nothing is sent until you confirm.`,
    },
    { kind: 'button', label: 'Confirm this address', url: confirmUrl },
    { kind: 'paragraph', text: "If you didn't expect this, ignore it: you won't get any alerts." },
  ])
}
