/** `overdue mail …` */
import { createMailProbe } from '../../app/deps.ts'
import type { MailAnswer } from '../../domain/carrier/mail.ts'
import { isMailAddress } from '../../domain/email-address.ts'
import { Refusal } from '../../domain/errors.ts'
import { oneLine } from '../../lib/text/text.ts'
import { sendTestMail } from '../../services/mail/mail-test.ts'
import type { Context, ExitStatus } from '../command.ts'
import { optionError } from '../usage.ts'

/** `overdue mail test` */
export async function testMail({ readConfig, argument: to, values, print }: Context): Promise<ExitStatus> {
  const config = await readConfig()
  if (!isMailAddress(to)) throw optionError(`"${to}" is not an email address`, 'use one like ops@example.org')
  if (config.mail === null) {
    throw new Refusal('mail-off', 'EMAIL_HOST is not set, so no email can be sent', { setting: 'EMAIL_HOST' })
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
    error === null
      ? `${server} accepted the email`
      : `could not send through ${server}: ${oneLine(error)}\n→ ${advice}`,
  )
  return error === null ? 0 : 1
}

function adviceFor(error: string | null, lines: readonly string[]): string {
  if (error?.includes('STARTTLS'))
    return 'set EMAIL_USE_SSL=True to use TLS from the start, or EMAIL_USE_TLS=False to send without encryption'
  if (lines.length === 0) return 'check EMAIL_HOST and EMAIL_PORT, and that this machine can reach the mail server'
  return 'the last lines above show what the mail server refused; docs/settings.md describes the settings of email'
}

function errorOf(answer: MailAnswer): string | null {
  if (answer.kind === 'accepted') return null
  return answer.kind === 'refused' ? `${answer.stage} refused: ${answer.response}` : answer.error
}
