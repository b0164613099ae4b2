/** The sending side of a test app: channels, checks that go down, and couriers whose receivers answer on command. */

import type { HttpAnswer } from '../../../src/domain/carrier/http-exchange.ts'
import type { Channel } from '../../../src/domain/channel/channel.ts'
import type { ChannelKind } from '../../../src/domain/channel/channel-kind.ts'
import type { Instant } from '../../../src/lib/time.ts'
import { type Courier, createCourier } from '../../../src/services/courier/courier.ts'
import type { Transport } from '../../../src/transports/transport.ts'
import { aChannel, anAuthor, only, testRandom } from '../../support/store-builders.ts'
import { answered, type TestApp } from '../../support/test-app.ts'

export interface Waiting {
  readonly sent: Request
  answer(): void
}

export interface CourierFixture {
  addChannel(over?: Partial<Channel>): Promise<Channel>
  /** @param channel as the API names it */
  addCheck(channel?: string, name?: string): Promise<string>
  /** @param action such as `/fail` */
  ping(check: string, action?: string): Promise<void>
  /** Returns the only channel as stored. */
  channelNow(): Promise<Channel>
  /** Starts due deliveries and waits until they end. */
  deliver(carrier?: Courier): Promise<void>
  /** Seconds until the next delivery is due. */
  nextTry(): Promise<number | null>
  secondsUntil(instant: Instant | null): number | null
  /** A courier for which status 410 means that the receiver is gone. */
  strict(): Courier
  /** A courier whose receivers answer when the test says so. */
  slowly(): { readonly waiting: Waiting[]; readonly carrier: Courier }
}

export function courierFixture(t: TestApp): CourierFixture {
  const { deps } = t.app
  // The middle of each spread, so that back-off is not random.
  const courier = (http = deps.carriers.http) =>
    createCourier({ ...deps, random: testRandom, carriers: { ...deps.carriers, http } })
  const secondsUntil = (instant: Instant | null) => instant && t.clock.now().until(instant).total('seconds')
  return {
    secondsUntil,
    async addChannel(over) {
      const channel = aChannel(t.project, over)
      await deps.store.by(anAuthor()).channels.create(channel)
      return channel
    },
    async addCheck(channels = '*', name = 'Job') {
      const json = { name, channels }
      return (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid
    },
    ping: async (check, action = '') => void (await t.call('GET', `/ping/${check}${action}`)),
    channelNow: async () => only(await deps.store.channels.list(t.project.id)),
    async deliver(carrier = courier()) {
      await carrier.deliverDue()
      await carrier.drain()
    },
    nextTry: async () => secondsUntil(await deps.store.deliveries.nextAt()),
    strict() {
      const transports = new Map(
        [...deps.transports].map(([kind, transport]): [ChannelKind, Transport] => [
          kind,
          {
            ...transport,
            judge: (answer: HttpAnswer, now: Instant) =>
              answer.kind === 'answered' && answer.status === 410
                ? { kind: 'disable', error: 'gone for good' }
                : transport.judge(answer, now),
          },
        ]),
      )
      return createCourier({ ...deps, random: testRandom, transports })
    },
    slowly() {
      const waiting: Waiting[] = []
      const send = (sent: Request) =>
        new Promise<HttpAnswer>((resolve) => {
          waiting.push({ sent, answer: () => resolve(answered(200)) })
        })
      return { waiting, carrier: courier(send) }
    },
  }
}
