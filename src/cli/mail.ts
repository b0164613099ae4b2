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
    usage: 'ADDRESS',
    summary: 'send a test mail and show what we and the mail server say to each other',
    details: 'C: is what we say, S: what the server says; credentials are hidden. Settings: EMAIL_HOST and its kin.',
    positionals: 1,
    run: testMail,
  },
]

async function testMail({ config, positionals: [to = ''], values, print }: Context): Promise<number> {
  if (!isMailAddress(to)) throw new UserError(`"${to}" is no mail address`, 'give one like ops@example.org')
  if (config.mail === null) {
    const hint = 'set it to the name of your mail server or to an SMTP URL, see docs/settings.md'
    throw new UserError('no mail can be sent: EMAIL_HOST is not set', hint)
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
    error === null ? `${server} took the mail` : `not sent through ${server}: ${oneLine(error)}\n→ ${advice}`,
  )
  return error === null ? 0 : 1
}

/** What to look at next. */
function adviceFor(error: string | null, lines: readonly string[]): string {
  if (error?.includes('STARTTLS'))
    return 'EMAIL_USE_TLS=False sends without encryption, EMAIL_USE_SSL=True with TLS from the start'
  if (lines.length === 0)
    return 'see that EMAIL_HOST and EMAIL_PORT are right, and that the server can be reached from here'
  return 'the last lines above say what the server did not like; docs/settings.md has the settings of mail'
}

function errorOf(answer: MailAnswer): string | null {
  if (answer.kind === 'accepted') return null
  return answer.kind === 'refused' ? `${answer.stage} refused: ${answer.response}` : answer.error
}
