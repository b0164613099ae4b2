/** A mail to try out the mail server with. */
import type { MailAnswer, MailSender } from '../domain/mail.ts'
import { mailParts } from '../domain/mail-layout.ts'
import type { Links } from '../domain/representation.ts'

export interface TestMail {
  /** see `Mail.id` */
  readonly id: string
  readonly to: string
  readonly siteName: string
  readonly links: Links
}

export function sendTestMail(send: MailSender, { id, to, siteName, links }: TestMail): Promise<MailAnswer> {
  const parts = mailParts({
    title: 'The mail server works',
    tone: 'good',
    blocks: [
      { kind: 'paragraph', text: `${siteName} at ${links.siteRoot} sent this mail because somebody asked for a test.` },
    ],
    footer: [],
  })
  return send({ id, to, subject: `Test mail from ${siteName}`, ...parts, unsubscribeUrl: null })
}
