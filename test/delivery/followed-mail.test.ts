/** Emails are sent through the server that is configured at that time. */
import { afterEach, expect, test } from 'bun:test'
import { createFollowedMail } from '../../src/delivery/followed-mail.ts'
import type { Mail } from '../../src/domain/carrier/mail.ts'
import type { MailInUse } from '../../src/domain/mail/mail-server.ts'
import { type MailHost, openMailHost } from '../support/mail-host.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const MAIL: Mail = {
  ...{ id: 'dddddddd-0000-4000-8000-000000000001', to: 'ops@example.org', subject: 'Test', text: 'x', html: 'x' },
  unsubscribeUrl: null,
}

async function host(answers?: Readonly<Record<string, string>>): Promise<MailHost> {
  const opened = await openMailHost(answers)
  ends.push(opened.close)
  return opened
}

function through({ port }: { readonly port: number }): MailInUse {
  const from = { name: '', address: 'alerts@example.org' }
  return { server: { host: '127.0.0.1', port, encryption: 'none', login: null, from }, source: 'page' }
}

test('another server gets the next email, and an email under way keeps its own', async () => {
  const [slow, next] = [await host({ '.': '' }), await host()]
  let inUse: MailInUse | null = through(slow)
  const mail = createFollowedMail(() => inUse)
  const under = mail.send(MAIL)
  inUse = through(next)
  expect(await mail.send(MAIL)).toMatchObject({ kind: 'accepted' })
  expect([slow.mails.length <= 1, next.mails.length]).toEqual([true, 1])
  await mail.close()
  // Only closing aborted it.
  expect(await under).toMatchObject({ kind: 'unreachable' })
})

test('no server is an error, until there is one', async () => {
  const own = await host()
  let inUse: MailInUse | null = null
  const mail = createFollowedMail(() => inUse)
  ends.push(mail.close)
  expect(await mail.send(MAIL)).toEqual({ kind: 'unreachable', error: 'No mail server is set up on this server' })
  inUse = through(own)
  expect(await mail.send(MAIL)).toMatchObject({ kind: 'accepted' })
})
