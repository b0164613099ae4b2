/** The mail that asks the owner of an address whether alerts may come there. */
import type { Mail } from './mail.ts'
import { mailParts } from './mail-layout.ts'
import { oneLine, within } from './text.ts'

export interface ConfirmationRequest {
  /** see {@link Mail.id} */
  readonly id: string
  readonly address: string
  readonly projectName: string
  readonly siteName: string
  readonly confirmUrl: string
}

const PROJECT_NAME_LIMIT = 60

export function confirmationMail({ id, address, projectName, siteName, confirmUrl }: ConfirmationRequest): Mail {
  const site = oneLine(siteName)
  const project = unlinked(within(oneLine(projectName), PROJECT_NAME_LIMIT))
  const parts = mailParts({
    title: `May ${site} send alerts here?`,
    tone: 'plain',
    blocks: [
      {
        kind: 'paragraph',
        text: `Somebody with access to the project "${project}" on ${site} asked for its alerts to be sent to ${address}. None is sent before you agree.`,
      },
      { kind: 'button', label: 'Confirm this address', url: confirmUrl },
      { kind: 'paragraph', text: 'If you know nothing of this, you need not do anything: no alerts will come.' },
    ],
    footer: [],
  })
  return { id, to: address, subject: `Confirm alerts from ${site}`, ...parts, unsubscribeUrl: null }
}

const WORD_JOINER = '\u2060'

/** Anybody can have this mail sent to anybody, so the name of a project must not become a link to somewhere. */
function unlinked(text: string): string {
  return text.replace(/[.:/@]/g, `$&${WORD_JOINER}`)
}
