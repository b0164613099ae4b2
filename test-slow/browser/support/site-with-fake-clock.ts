/**
 * The app on a socket of this process, with a clock that the test advances: a day of silence passes at once. The real carrier sends alerts,
 * to a receiver on this machine.
 */

import { createHttpSender } from '../../../src/delivery/http.ts'
import type { Role } from '../../../src/domain/account/role.ts'
import type { Project } from '../../../src/domain/project.ts'
import type { Temporal } from '../../../src/lib/time.ts'
import { memberWith } from '../../../test/support/browser.ts'
import { handClock } from '../../../test/support/clock.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { aChannel, anAuthor } from '../../../test/support/store-builders.ts'
import { type TestApp, type TestAppOptions, testApp } from '../../../test/support/test-app.ts'
import { openBrowser } from '../../support/browser.ts'
import { openTabs, type Person, type Tabs } from './site.ts'

export interface SiteWithFakeClock extends Tabs {
  readonly t: TestApp
  readonly baseUrl: string
  readonly project: Project
  /** messages at the receiver of alerts, oldest first */
  readonly alerts: readonly string[]
  /** Creates and signs in a person with that role in the project. */
  person(role: Role): Promise<Person>
  /** Creates a check by the API. */
  check(name: string, more?: object): Promise<MadeCheck>
  /** Advances the clock: overdue checks are found, alerts are sent, open pages are updated. */
  wind(duration: Temporal.DurationLike): Promise<void>
  /** Closes all connections, and refuses new ones. */
  cut(): Promise<void>
  /** Accepts connections again. */
  mend(): void
  close(): Promise<void>
}

export interface MadeCheck {
  readonly uuid: string
  readonly pingUrl: string
  /** last part of the address of its page */
  readonly publicId: string
}

/** @param given more settings, and carriers in place of the real ones */
export async function openSiteWithFakeClock({
  env,
  carriers,
}: Pick<TestAppOptions, 'env' | 'carriers'> = {}): Promise<SiteWithFakeClock> {
  const port = freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const alerts: string[] = []
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      alerts.push(await request.text())
      return new Response('thanks')
    },
  })
  const [t, browser] = await Promise.all([
    testApp({
      env: { ...env, SITE_ROOT: baseUrl },
      // Browsers use the clock of the machine.
      clock: handClock(new Date().toISOString()),
      carriers: { http: createHttpSender({ allowPrivateAddresses: true }), ...carriers },
    }),
    openBrowser(),
  ])
  const { store } = t.app.deps
  const channel = aChannel(t.project, { kind: 'slack', name: 'Night shift', settings: receiver.url.href })
  await store.by(anAuthor()).channels.create(channel)
  const listen = () =>
    Bun.serve({ hostname: '127.0.0.1', port, idleTimeout: 0, fetch: (request) => t.app.handle(request) })
  let server = listen()
  return {
    t,
    baseUrl,
    project: t.project,
    alerts,
    ...openTabs(browser, baseUrl),
    async person(role) {
      const member = await memberWith(t, role)
      return { email: member.account.email, cookie: `overdue_session=${member.token()}` }
    },
    async check(name, more = {}) {
      const spec = { name, channels: '*', ...more }
      const made = await t.json<{ uuid: string; ping_url: string }>('POST', '/api/v3/checks/', {
        key: t.keys.apiKey,
        json: spec,
      })
      const [found] = await store.checks.findMany([made.uuid])
      return { uuid: made.uuid, pingUrl: made.ping_url, publicId: found?.check.publicId ?? '' }
    },
    async wind(duration) {
      t.clock.advance(duration)
      await t.app.settle('overdue')
      await t.app.settle('deliveries')
      await t.app.deps.live.tick()
    },
    cut: () => server.stop(true),
    mend() {
      server = listen()
    },
    async close() {
      await browser.close()
      await t.close()
      await Promise.all([server.stop(true), receiver.stop(true)])
    },
  }
}
