/** The SMTP server on a real socket, with the app's own store and hooks for failures. */

import { createPingReceiver } from '../../src/services/pings/pings.ts'
import { RefusedNotes } from '../../src/services/pings/refused-signals.ts'
import { type MailDoor, type MailDoorSettings, type MailLimits, openMailDoor } from '../../src/smtp/server.ts'
import type { Store } from '../../src/store/store.ts'
import { replaced } from '../support/replaced-methods.ts'
import { type SmtpClient, smtpClient } from '../support/smtp-client.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

export const DOMAIN = 'ping.example'

interface Entry {
  readonly type: string
  readonly n: number
  readonly scheme: string
  readonly method: string
  readonly ua: string
  readonly rid: string | null
  readonly remote_addr: string
  readonly body_url: string | null
}

export interface Given {
  readonly limits?: Partial<MailLimits>
  readonly tls?: MailDoorSettings['tls']
  readonly domain?: string
  /** called before every lookup of a recipient */
  readonly beforeFind?: () => Promise<void>
  /** called before every commit */
  readonly beforeCommit?: () => Promise<void>
}

export interface OpenDoor {
  readonly t: TestApp
  readonly door: MailDoor
  readonly refusedNotes: RefusedNotes
  /** Creates a check. @returns its UUID */
  check(wish?: object): Promise<string>
  address(check: string): string
  client(): Promise<SmtpClient>
  /** Returns the log of a check, oldest first. */
  pings(check: string): Promise<Entry[]>
  body(check: string, n: number): Promise<Uint8Array>
  close(): Promise<void>
}

export async function openDoor({ limits, tls = null, domain = DOMAIN, ...before }: Given = {}): Promise<OpenDoor> {
  const t = await testApp()
  const { deps } = t.app
  const store: Store = replaced(deps.store, {
    pings: {
      async findTarget(target) {
        await before.beforeFind?.()
        return deps.store.pings.findTarget(target)
      },
      async commit(arrivals, rules) {
        await before.beforeCommit?.()
        return deps.store.pings.commit(arrivals, rules)
      },
    },
  })
  const pings = createPingReceiver({ ...deps, store })
  const refusedNotes = new RefusedNotes(deps)
  const door = await openMailDoor(
    { ...deps, store, pings, refusedNotes },
    { host: '127.0.0.1', port: 0, domain, tls },
    limits,
  )
  const clients: SmtpClient[] = []
  const key = t.keys.apiKey
  return {
    t,
    door,
    refusedNotes,
    check: async (wish = {}) => (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key, json: wish })).uuid,
    address: (check) => `${check}@${domain}`,
    async client() {
      const client = await smtpClient(door.port)
      clients.push(client)
      return client
    },
    async pings(check) {
      const { pings: log } = await t.json<{ pings: Entry[] }>('GET', `/api/v3/checks/${check}/pings/`, { key })
      return log.toReversed()
    },
    body: async (check, n) => (await t.call('GET', `/api/v3/checks/${check}/pings/${n}/body`, { key })).bytes(),
    async close() {
      for (const client of clients) client.close()
      await door.close(0)
      await t.close()
    },
  }
}
