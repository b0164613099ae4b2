/** Sends the email that tests the mail server. */
import type { MailAnswer, MailSender } from '../../domain/carrier/mail.ts'
import type { Links } from '../../domain/check/representation.ts'
import { mailParts } from '../../domain/mail/layout.ts'

interface TestMail {
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
      { kind: 'paragraph', text: `${siteName} at ${links.siteRoot} sent this email because someone requested a test.` },
    ],
    footer: [],
  })
  return send({ id, to, subject: `Test email from ${siteName}`, ...parts, unsubscribeUrl: null })
}
