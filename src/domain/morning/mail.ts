/** A morning mail as an email. Its subject is the night's sentence. Its two parts, text and HTML, have the same content. */
import { oneLine, within } from '../../lib/text/text.ts'
import type { Mail } from '../carrier/mail.ts'
import type { MorningContent, MorningFoot } from './content.ts'
import { morningHtml } from './html.ts'

interface Sent {
  /** see {@link Mail.id} */
  readonly id: string
  readonly address: string
  readonly foot: MorningFoot
  readonly unsubscribeUrl: string
}

/** Maximum length of the subject. Mail programs show only its beginning in lists. */
const SUBJECT_LIMIT = 200

export function morningMail(content: MorningContent, { id, address, foot, unsubscribeUrl }: Sent): Mail {
  const { lead, more } = content.sentence
  const subject = within(oneLine(`${lead} ${more}`), SUBJECT_LIMIT)
  return {
    id,
    to: address,
    subject,
    text: morningText(content, foot),
    html: morningHtml(subject, content, foot),
    unsubscribeUrl,
  }
}

/** Returns the night's sentence, followed by a line for each row. */
function morningText(content: MorningContent, { words, links }: MorningFoot): string {
  const { sentence, together, rows, hidden, rest, when, nightUrl } = content
  const lines = rows.map(({ name, project, words }) => `${name}${project === '' ? '' : ` (${project})`}: ${words}`)
  if (hidden > 0) lines.push(`and ${hidden.toLocaleString('en')} more`)
  const parts = [
    [`${sentence.lead} ${sentence.more}`.trim(), ...together].join('\n'),
    lines.join('\n'),
    rest,
    `Open the night:\n${nightUrl}`,
    // Mail programs remove the text after "-- " when the reader replies.
    `-- \nLast night, ${when}. ${words}`,
    ...links.map(({ label, url }) => `${label}:\n${url}`),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
