/** Implements the `overdue mail` commands. */
import { probeMail } from '../../app/deps.ts'
import type { MailAnswer } from '../../domain/carrier/mail.ts'
import { isMailAddress } from '../../domain/email-address.ts'
import { Refusal } from '../../domain/errors.ts'
import { addressOf, type MailInUse, mailboxWords } from '../../domain/mail/mail-server.ts'
import { mailVerdict } from '../../domain/mail/mail-verdict.ts'
import { oneLine } from '../../lib/text/text.ts'
import { sendTestMail } from '../../services/mail/mail-test.ts'
import type { Context, ExitStatus } from '../command.ts'
import { optionError } from '../usage.ts'

/** Runs `overdue mail test`. */
export async function testMail(context: Context): Promise<ExitStatus> {
  const { readConfig, argument: to, values, print } = context
  const { siteName, links } = await readConfig()
  if (!isMailAddress(to)) throw optionError(`"${to}" is not an email address`, 'use one like ops@example.org')
  const inUse = await requireMailServer(context)
  const lines: string[] = []
  const onLine = (line: string) => {
    lines.push(line)
    if (!values.json) print(null, line)
  }
  const send = (mail: Parameters<typeof probeMail>[1]) => probeMail(inUse, mail, onLine)
  const answer = await sendTestMail(send, { id: crypto.randomUUID(), to, siteName, links })
  const error = errorOf(answer)
  const server = addressOf(inUse.server)
  const { advice } = mailVerdict(answer, { to, server: inUse.server })
  const failed = `could not send through ${server}: ${oneLine(error ?? '')}${advice === null ? '' : `\n→ ${advice}`}`
  print({ server, set_in: inUse.source, error, lines }, error === null ? `${server} accepted the email` : failed)
  return error === null ? 0 : 1
}

function errorOf(answer: MailAnswer): string | null {
  if (answer.kind === 'accepted') return null
  return answer.kind === 'refused' ? `${answer.stage} refused: ${answer.response}` : answer.error
}

/** Runs `overdue mail show`. */
export async function showMail(context: Context): Promise<ExitStatus> {
  const { server, source } = await requireMailServer(context)
  const { host, port, encryption, login, from } = server
  const sender = mailboxWords(from)
  context.print(
    { host, port, security: encryption, user: login?.user ?? null, sender, set_in: source },
    [
      `server    ${addressOf(server)}`,
      `security  ${SECURITY[encryption]}`,
      `user      ${login?.user ?? 'none, no login'}`,
      `sender    ${sender}`,
      `set in    ${PLACES[source]}`,
    ].join('\n'),
  )
  return 0
}

const SECURITY: Readonly<Record<MailInUse['server']['encryption'], string>> = {
  starttls: 'STARTTLS',
  tls: 'TLS',
  none: 'none, not encrypted',
}

const PLACES: Readonly<Record<MailInUse['source'], string>> = {
  environment: 'the environment, because EMAIL_HOST is set',
  page: 'Administration › Mail; environment variables take precedence',
}

/** Returns the settings of the mail server. The database is opened only if it may contain these settings. @throws Refusal `mail-off` */
async function requireMailServer({ readConfig, openDeps }: Context): Promise<MailInUse> {
  const { mail } = await readConfig()
  if (mail.server !== null) return { server: mail.server, source: 'environment' }
  const { inUse } = (await openDeps()).mailSetup
  if (inUse !== null) return inUse
  throw new Refusal('mail-off', 'no mail server is set up, so no email can be sent', { setting: 'EMAIL_HOST' })
}
