/** The audit log's view of the mail server settings, without the password. */
import { type MailServer, mailboxWords } from '../mail/mail-server.ts'
import type { Audited } from './audit.ts'

export function auditedMailServer(server: MailServer, before: MailServer | null = null): Audited {
  const { host, port, encryption, login, from } = server
  const isOther = before?.login != null && login !== null && before.login.password !== login.password
  return {
    kind: 'mail-server',
    id: 'mail',
    name: host,
    projectId: null,
    values: {
      host,
      port,
      security: encryption,
      user: login?.user ?? null,
      has_password: login !== null,
      sender: mailboxWords(from),
      ...(isOther ? { password_changed: true } : {}),
    },
  }
}
