/** `overdue mail …` */
import { createMailProbe } from '../app.ts'
import { UserError } from '../domain/errors.ts'
import type { MailAnswer } from '../domain/mail.ts'
import { isMailAddress } from '../domain/mail-address.ts'
import { oneLine } from '../domain/text.ts'
import { sendTestMail } from '../services/mail-test.ts'
import type { Command, Context } from './command.ts'

export const mailCommands: readonly Command[] = [
  {
    words: 'mail test',
    takes: ['ADDRESS'],
    summary: 'send a test email and print the dialogue with the mail server',
    details:
      "Lines with C: are ours, lines with S: are the server's; credentials are hidden. Settings: EMAIL_HOST and the others of email.",
    example: 'overdue mail test ops@example.org',
    run: testMail,
  },
]

async function testMail({ config, positionals: [to = ''], values, print }: Context): Promise<number> {
  if (!isMailAddress(to)) throw new UserError(`"${to}" is not an email address`, 'use one like ops@example.org')
  if (config.mail === null) {
    const hint = 'set it to the name of your mail server or to an SMTP URL; see docs/settings.md'
    throw new UserError('EMAIL_HOST is not set, so no email can be sent', hint)
  }
  const lines: string[] = []
  const probe = createMailProbe(config, (line) => {
    lines.push(line)
    if (!values.json) print(null, line)
  })
  const { siteName, links } = config
  const answer = await sendTestMail(probe.send, { id: crypto.randomUUID(), to, siteName, links })
  await probe.close()
  const error = errorOf(answer)
  const { host, port } = config.mail
  const server = `${host}:${port}`
  const advice = adviceFor(error, lines)
  print(
    { server, error, lines },
    error === null ? `${server} accepted the email` : `not sent through ${server}: ${oneLine(error)}\n→ ${advice}`,
  )
  return error === null ? 0 : 1
}

/** What to look at next. */
function adviceFor(error: string | null, lines: readonly string[]): string {
  if (error?.includes('STARTTLS'))
    return 'EMAIL_USE_TLS=False sends without encryption, EMAIL_USE_SSL=True with TLS from the start'
  if (lines.length === 0)
    return 'check that EMAIL_HOST and EMAIL_PORT are right, and that the server can be reached from here'
  return 'the last lines above say what the server refused; see docs/settings.md for the settings of email'
}

function errorOf(answer: MailAnswer): string | null {
  if (answer.kind === 'accepted') return null
  return answer.kind === 'refused' ? `${answer.stage} refused: ${answer.response}` : answer.error
}
