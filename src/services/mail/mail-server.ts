/** Reads, saves and removes the mail server settings that administrators have entered, and tests the mail server in use. */
import { type Person, requireAdministrator } from '../../domain/actor.ts'
import { auditedMailServer } from '../../domain/audit/mail-server.ts'
import { isMailAddress } from '../../domain/email-address.ts'
import { Refusal } from '../../domain/errors.ts'
import type { EnvironmentMail, MailInUse, MailServer } from '../../domain/mail/mail-server.ts'
import { type MailVerdict, mailVerdict } from '../../domain/mail/mail-verdict.ts'
import { type MailMistakes, readTypedMailServer, type TypedMailServer } from '../../domain/mail/typed-mail-server.ts'
import { printable, within } from '../../lib/text/text.ts'
import { countTest } from '../common/asked-mail.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { isUnreadable } from '../common/mail-setup.ts'
import { sendTestMail } from './mail-test.ts'

type SetupDeps = Pick<Deps, 'mailSetup'>
type WriteDeps = SetupDeps & Pick<Deps, 'store' | 'now' | 'random'>
type TestDeps = SetupDeps & Pick<Deps, 'random' | 'site' | 'probeMail' | 'mailboxLimits'>

/** A mail server without its password. */
interface ShownMailServer extends Omit<MailServer, 'login'> {
  readonly user: string | null
}

export interface MailServerState {
  readonly environment: Omit<EnvironmentMail, 'server'>
  /** true if the mail server is set in the environment, in which case administrators cannot change it on the page */
  readonly isOfEnvironment: boolean
  /** null if no email can be sent */
  readonly inUse: ShownMailServer | null
  /** the mail server that administrators have entered; null if there is none, or if its settings cannot be decrypted */
  readonly stored: ShownMailServer | null
  /** true if the stored settings were encrypted with another secret */
  readonly isUnreadable: boolean
}

export async function readMailServer({ mailSetup }: SetupDeps, by: Person): Promise<MailServerState> {
  requireAdministrator(by)
  const stored = await mailSetup.read()
  const { server: ofEnvironment, ...environment } = mailSetup.environment
  return {
    environment,
    isOfEnvironment: ofEnvironment !== null,
    inUse: mailSetup.inUse && shownServer(mailSetup.inUse.server),
    stored: stored.server && shownServer(stored.server),
    isUnreadable: isUnreadable(stored),
  }
}

function shownServer({ login, ...server }: MailServer): ShownMailServer {
  return { ...server, user: login?.user ?? null }
}

/**
 * @returns the mistakes in the form; null if the mail server was saved and is now in use
 * @throws Refusal `forbidden` if the mail server is set in the environment
 */
export async function saveMailServer(
  deps: WriteDeps,
  by: Person,
  typed: TypedMailServer,
): Promise<MailMistakes | null> {
  requireAdministrator(by)
  const { environment } = deps.mailSetup
  if (environment.server !== null) throw new Refusal('forbidden', 'the environment sets the mail server (EMAIL_HOST)')
  const read = readTypedMailServer(typed, (await deps.mailSetup.read()).server, environment)
  if ('mistakes' in read) return read.mistakes
  await replace(deps, by, read.server)
  return null
}

/** Removes the mail server that administrators have entered. */
export async function removeMailServer(deps: WriteDeps, by: Person): Promise<void> {
  requireAdministrator(by)
  await replace(deps, by, null)
}

/**
 * Replaces the stored mail server. Retries if it was changed in the meantime, so that the audit log contains the correct previous value.
 */
async function replace(deps: WriteDeps, by: Person, server: MailServer | null): Promise<void> {
  const { mailSetup, store } = deps
  const to = server && (await mailSetup.sealer.seal(JSON.stringify(server)))
  let isDone = false
  while (!isDone) {
    const before = await mailSetup.read()
    isDone = await store.by(authorOf(deps, by)).settings.replace(mailSetup.name, {
      from: before.sealed,
      to,
      before: before.server && auditedMailServer(before.server),
      after: server && auditedMailServer(server, before.server),
    })
  }
  await mailSetup.read()
}

export interface MailTrial {
  readonly verdict: MailVerdict
  /** lines of the SMTP dialogue, such as `S: 220 mail.example.org ready`, without credentials */
  readonly lines: readonly string[]
}

/** Maximum number of lines to keep, because there is no limit on how many lines a mail server sends. */
const LINES = 200
const LINE_LENGTH = 500

/**
 * Counts a test email. Call this function before anything is saved.
 * @throws Refusal `email-invalid`; `over-limit` after too many test emails to this address
 */
export function countMailTest(deps: Pick<Deps, 'mailboxLimits'>, to: string): void {
  if (!isMailAddress(to)) throw new Refusal('email-invalid', `"${to}" is not an email address`, { name: to })
  countTest(deps, to)
}

/** Sends a test email through the mail server in use, over a separate connection. @throws Refusal `mail-off` if no mail server is set */
export async function tryMailServer(deps: TestDeps, by: Person, to: string): Promise<MailTrial> {
  requireAdministrator(by)
  await deps.mailSetup.read()
  const { inUse } = deps.mailSetup
  if (inUse === null) throw new Refusal('mail-off', 'no mail server is set up', { setting: 'EMAIL_HOST' })
  return sendTrial(deps, inUse, to)
}

async function sendTrial({ random, site, probeMail }: TestDeps, inUse: MailInUse, to: string): Promise<MailTrial> {
  const lines: string[] = []
  const onLine = (line: string) => {
    if (lines.length < LINES) lines.push(within(printable(line), LINE_LENGTH))
    else if (lines.length === LINES) lines.push('…')
  }
  const mail = { id: random.uuid(), to, siteName: site.name, links: site.links }
  const answer = await sendTestMail((message) => probeMail(inUse, message, onLine), mail)
  return { verdict: mailVerdict(answer, { to, server: inUse.server }), lines }
}
