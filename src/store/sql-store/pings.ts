/** The store's methods for pings, for searching their bodies, and for pings that did not count. */
import type { Instant } from '../../lib/time.ts'
import type { Arrival, CommittedPings, NotedRefusal } from '../interface/pings.ts'
import type { Rules } from '../interface/rules.ts'
import type { PingWords, UnreadPings } from '../interface/search.ts'
import * as log from '../pings/log.ts'
import * as longBodies from '../pings/long-bodies.ts'
import * as pings from '../pings/pings.ts'
import * as search from '../pings/search.ts'
import * as uncounted from '../pings/uncounted.ts'
import { NO_CHANGES } from '../revisions/revisions.ts'
import type { Access } from './access.ts'
import { each } from './methods.ts'

export function pingsStore({ database, steps, read, feed, writeChanging, writeUntracked, logBytes }: Access) {
  return {
    pings: {
      commit: async (arrivals: readonly Arrival[], rules: Rules): Promise<CommittedPings> => {
        const committed = await writeChanging((sql) => pings.commitPings(sql, arrivals, rules, logBytes), 'pings')
        // Notifies other processes, because pruning may be done by one of them.
        if (committed.prunable) database.notify([])
        return committed
      },
      /** Stores the rest of a long body in short transactions, so pass pieces of half a megabyte. @param id a new id */
      keepRest: longBodies.keepRest.bind(null, steps),
      /** Removes the rest of a long body, unless it already belongs to a ping. */
      dropRest: longBodies.dropRest.bind(null, steps),
      find: log.findPing.bind(null, read),
      ...each(read, {
        findTarget: pings.findTarget,
        list: log.listPings,
        findStart: log.findPingStart,
        findLastGood: log.findLastGood,
        readBodyEnds: log.readBodyEnds,
        readLog: log.readLog,
        readLogsSince: log.readLogsSince,
      }),
    },
    search: {
      ...each(read, {
        findPings: search.searchPings,
        findHitBegins: search.findHitBegins,
        readProgress: search.readProgress,
      }),
      findUnread: async (): Promise<UnreadPings | null> => {
        const settled = await database.settledPings()
        return steps.read((sql) => search.findUnread(sql, settled))
      },
      writeWords: (unread: UnreadPings, words: readonly PingWords[]): Promise<void> =>
        steps.write((sql, isOver) => search.writeWords(sql, isOver, unread, words)),
      mustRefill: () => steps.read(search.isMarked),
      refill: () => steps.write(search.fillQueue),
      /** Performs a short step of the search index's upkeep after words have been written. @returns false if there is nothing to do */
      tidy: (): Promise<boolean> => steps.write((sql) => sql.words.tidy()),
    },
    uncounted: {
      ...each(read, { list: uncounted.listUncounted, listRefused: uncounted.listRefused }),
      /**
       * Adds to the stored rejected requests of the last day. Ignores targets for which no check is found. Writes nothing if there are no
       * other targets.
       */
      addRefused: async (noted: readonly NotedRefusal[], now: Instant): Promise<void> => {
        const refused = await read((sql) => uncounted.findRefusedChecks(sql, noted))
        if (refused.length === 0) return
        await writeUntracked((sql) => uncounted.addRefused(sql, refused, now))
        feed.checks({ ...NO_CHANGES, touched: uncounted.touchedBy(refused) })
      },
    },
  }
}
