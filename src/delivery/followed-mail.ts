/** Sends each email through the mail server that is currently in use, because administrators may change it while this server runs. */
import type { MailInUse } from '../domain/mail/mail-server.ts'
import { createMailSender, type MailClient } from './mail.ts'
import { unreachable } from './mail-failure.ts'

interface Held {
  readonly inUse: MailInUse
  readonly client: MailClient
  /** number of emails that are being sent */
  underWay: number
}

/** @param current returns the mail server in use, the same object until it changes; null if none is set up */
export function createFollowedMail(current: () => MailInUse | null): MailClient {
  let latest: Held | null = null
  const open = new Set<MailClient>()
  /** Closes the connections to a replaced mail server once its emails are sent. */
  const endIfUnused = (held: Held) => {
    if (held === latest || held.underWay > 0) return
    void held.client.close().then(() => open.delete(held.client))
  }
  const heldFor = (inUse: MailInUse): Held => {
    if (latest?.inUse === inUse) return latest
    const before = latest
    latest = { inUse, client: createMailSender(inUse), underWay: 0 }
    open.add(latest.client)
    if (before !== null) endIfUnused(before)
    return latest
  }
  return {
    async send(mail) {
      const inUse = current()
      if (inUse === null) return unreachable('No mail server is set up on this server')
      const held = heldFor(inUse)
      held.underWay++
      try {
        return await held.client.send(mail)
      } finally {
        held.underWay--
        endIfUnused(held)
      }
    },
    async close() {
      await Promise.all([...open].map((client) => client.close()))
    },
  }
}
