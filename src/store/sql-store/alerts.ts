/** The store's methods for channels, deliveries and mailings. */
import type { AttemptTrace } from '../../domain/alert/attempt.ts'
import type { Delivery, DeliveryAction, DeliveryResult } from '../../domain/alert/delivery.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'
import type { Instant } from '../../lib/time.ts'
import * as attempts from '../alerts/attempts.ts'
import * as deliveries from '../alerts/deliveries.ts'
import * as deliveryChanges from '../alerts/delivery-changes.ts'
import * as deliveryLists from '../alerts/delivery-lists.ts'
import * as deliveryStories from '../alerts/delivery-stories.ts'
import * as mailings from '../alerts/mailings.ts'
import { countChecks, listChannelActivities, listFailingSince } from '../channels/channel-activity.ts'
import * as channels from '../channels/channels.ts'
import { listMailTargets } from '../channels/mail-targets.ts'
import type { ChannelChange } from '../interface/channels.ts'
import type { ClaimedOrder, ClaimRules, LateFailure } from '../interface/deliveries.ts'
import type { Access, AuthorAccess } from './access.ts'
import { each } from './methods.ts'

/** Maximum number of claims in a row. */
const CLAIM_TURNS = 5

export function alertsStore({ read, writeAlerts, writeSomeAlerts, writeUntracked }: Access) {
  return {
    channels: {
      ...each(read, {
        find: channels.findChannel,
        findMany: channels.findChannels,
        list: channels.listChannels,
        listActivities: listChannelActivities,
        listFailingSince,
        countChecks,
        listMailTargets,
      }),
      /** Changes a channel when the server itself detects something. Changes that users make use `by(…).channels.change`. */
      change: (id: string, change: (channel: Channel) => ChannelChange): Promise<Channel | null> =>
        writeAlerts((sql) => channels.changeChannel(sql, null, id, change)),
      ...each(writeUntracked, { deleteEndedDeliveries: channels.deleteEndedDeliveries }),
    },
    deliveries: {
      ...each(read, {
        nextAt: deliveries.nextDeliveryAt,
        find: deliveries.findDeliveries,
        findOf: deliveryLists.findDeliveryOf,
        findNewest: deliveryLists.findNewestDeliveries,
        list: deliveryLists.listDeliveries,
        listOfFlips: deliveryLists.listDeliveriesOfFlips,
        listWaiting: deliveryChanges.listWaiting,
        listAttempts: attempts.listAttempts,
        read: deliveryLists.readDeliveries,
        count: deliveryLists.countDeliveries,
        countBehind: deliveryLists.countBehind,
        countUndelivered: deliveryLists.countUndelivered,
        hasLaterSent: deliveryLists.hasLaterSent,
        findStory: deliveryStories.findStory,
      }),
      ...each(writeUntracked, { renewLeases: deliveries.renewLeases }),
      claim: async (now: Instant, leaseEndsAt: Instant, rules: ClaimRules): Promise<ClaimedOrder[]> => {
        for (let turn = 1; ; turn += 1) {
          const { orders, changed, ended } = await writeSomeAlerts((sql) =>
            deliveries.claimDeliveries(sql, now, leaseEndsAt, rules),
          )
          for (const some of deliveries.inDropBatches(ended)) {
            await writeSomeAlerts((sql) => deliveries.dropDeliveries(sql, some, now))
          }
          // A claim that only holds or drops deliveries is repeated, because it delays other channels. The number of turns is limited, so
          // that the leases of the orders are still new.
          if (orders.length > 0 || changed.length + ended.length === 0 || turn === CLAIM_TURNS) return orders
        }
      },
      record: async (
        of: readonly Delivery[],
        result: DeliveryResult,
        trace: AttemptTrace,
        now: Instant,
      ): Promise<void> => {
        await writeSomeAlerts((sql) => deliveries.recordDeliveries(sql, of, result, trace, now))
      },
      failSent: async (id: string, failure: LateFailure): Promise<boolean> =>
        (await writeAlerts((sql) => deliveries.failSentDelivery(sql, id, failure))) !== null,
    },
    mailings: {
      ...each(read, {
        nextAt: mailings.nextMailingAt,
        list: mailings.listMailings,
        listOf: mailings.listMailingsOf,
        listDownCandidates: mailings.listDownCandidates,
      }),
      ...each(writeUntracked, { claim: mailings.claimMailings, record: mailings.recordMailing }),
    },
  }
}

export function alertsWrites({ write, writeAlerts, trail, each }: AuthorAccess) {
  return {
    channels: {
      create: async (channel: Channel, mailings: WantedMailings = {}): Promise<void> => {
        await writeAlerts(async (sql) => {
          await channels.createChannel(sql, trail(sql), channel, mailings)
          return { projectId: channel.projectId }
        })
      },
      change: (id: string, change: (channel: Channel) => ChannelChange): Promise<Channel | null> =>
        writeAlerts((sql) => channels.changeChannel(sql, trail(sql), id, change)),
      ...each(write, { delete: channels.deleteChannel }),
    },
    deliveries: {
      change: async (id: string, action: DeliveryAction): Promise<boolean> =>
        (await writeAlerts((sql) => deliveryChanges.changeDelivery(sql, trail(sql), id, action))) !== null,
    },
  }
}
