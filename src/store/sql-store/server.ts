/** The store's methods for changes, retention, settings, instances, clocks and leases. */
import { auditedBackup } from '../../domain/audit/subjects.ts'
import type { Instant } from '../../lib/time.ts'
import * as attempts from '../alerts/attempts.ts'
import { deleteAudit } from '../audit.ts'
import { removeExpiredUndos } from '../checks/undos.ts'
import { deleteSilences } from '../incidents/silences.ts'
import type { CommittedChange, OthersRevision, ProjectChanges, Revision } from '../interface/changes.ts'
import type { Instance } from '../interface/instances.ts'
import type { Outage } from '../interface/upkeep.ts'
import * as sessions from '../people/sessions.ts'
import { removeForgotten } from '../pings/long-bodies.ts'
import * as uncounted from '../pings/uncounted.ts'
import { createPrune } from '../retention/retention.ts'
import { findBackups, recordBackup, recordBackupFailure } from '../server/backups.ts'
import { readClock } from '../server/clock.ts'
import * as clockSteps from '../server/clock-steps.ts'
import * as figures from '../server/figures.ts'
import * as instances from '../server/instances.ts'
import * as leases from '../server/leases.ts'
import * as settings from '../server/settings.ts'
import type { Caching, NoticeListener } from '../sql/database.ts'
import type { Access, AuthorAccess } from './access.ts'
import { each } from './methods.ts'

export function serverStore({ database, steps, read, feed, revisions, write, writeUntracked, logBytes }: Access) {
  return {
    changes: {
      /**
       * Returns which of a project's checks have changed since a revision, counting only changes that the API shows.
       * @param since null for the first call
       */
      read: (projectId: string, since: Revision | null): Promise<ProjectChanges> =>
        revisions.ofProject(projectId, since),
      /** Returns a project's current revision. Includes writes of other processes only if they were known at the last read. */
      revisionOf: (projectId: string): Revision => revisions.nowOfProject(projectId),
      /**
       * Returns a value that changes whenever this process changes a stored status or edits a check, in any project. A ping without a flip
       * does not change the value.
       */
      statusRevision: (): string => revisions.nowOfStatuses(),
      /** Reads other processes' writes. The checks that they have pinged then count as changed, and watchers are notified. */
      readRevisionOfOthers: (): Promise<OthersRevision> => revisions.ofOthers(),
      /** Returns a value that changes whenever anyone's access changes, or when `edits` of `readRevisionOfOthers` changes. */
      accessRevision: (): string => revisions.nowOfAccess(),
      /**
       * Calls the listener after each commit of this process, before the write's promise resolves. Also calls it when this process finds
       * out which checks other processes have pinged. The listener must be quick and must not throw.
       * @returns a function that removes the listener
       */
      watch: (listener: (change: CommittedChange) => void): (() => void) => feed.watch(listener),
      /**
       * Calls the listener when another process has sent a notice. A notice means that something may be due, or that a check was edited or
       * changed its status. It lets this process act before its next regular search. Notices may be lost, and processes that share a SQLite
       * file don't send any.
       * @returns a function that removes the listener
       */
      watchNotices: (listener: NoticeListener): (() => void) => database.watchNotices(listener),
    },
    retention: {
      prune: createPrune(steps, logBytes),
      pruneAudit: deleteAudit.bind(null, steps),
      pruneAnswers: attempts.dropAnswers.bind(null, steps),
      pruneSilences: deleteSilences.bind(null, steps),
      /**
       * Removes data that has expired at `now`, in short transactions: sessions, tokens, changes that can no longer be undone, and counts
       * of rejected requests. Also removes pieces of long bodies that are an hour old and still have no ping.
       */
      removeExpired: async (now: Instant): Promise<void> => {
        await sessions.removeExpired(steps, now)
        await removeExpiredUndos(steps, now)
        await uncounted.removeOldRefused(steps, now)
        await removeForgotten(steps, now)
      },
    },
    settings: {
      ...each(read, { find: settings.findSetting }),
      ...each(writeUntracked, { getOrCreate: settings.getOrCreateSetting }),
    },
    instances: {
      ...each(read, { list: instances.listInstances }),
      ...each(writeUntracked, { remove: instances.removeInstances }, 'upkeep'),
    },
    server: {
      ...each(read, {
        probe: settings.probe,
        findAlive: settings.findAlive,
        findOutage: settings.findOutage,
        findBackups,
        readClock,
        readOutbox: figures.readOutbox,
        readTotals: figures.readTotals,
      }),
      ...each(writeUntracked, { probeWrite: settings.probeWrite }, 'probe'),
      ...each(writeUntracked, { takeLease: leases.takeLease, recordBackup, recordBackupFailure }, 'upkeep'),
      ...each(write, { pullBack: clockSteps.pullBack }),
      size: () => database.size(),
      /** Returns where a ping is stored once it has been answered: see `Database`. */
      durability: () => database.durability(),
      /** Sets how much of the database is kept in memory: see `Database`. */
      cache: (caching: Caching): void => database.cache(caching),
      /** @param outage the outage that has just ended; replaces the last one @param instance the running instance with its report */
      recordAlive: (at: Instant, outage?: Outage, instance?: Instance): Promise<void> =>
        writeUntracked(async (sql) => {
          await settings.recordAlive(sql, at, outage)
          if (instance) await instances.recordInstance(sql, instance)
        }, 'upkeep'),
      /**
       * Records the last heartbeat of an instance that is stopping. Removes the instance and ends its leases, so that the next instance
       * that requests a lease gets it. An instance that has already requested one of these leases does not retry before the time at which
       * that lease would have ended.
       */
      recordStop: (at: Instant, instanceId: string): Promise<void> =>
        writeUntracked(async (sql) => {
          await settings.recordAlive(sql, at)
          await instances.removeInstance(sql, instanceId)
          await leases.endLeases(sql, instanceId)
        }, 'upkeep'),
    },
  }
}

export function serverWrites({ each: by, writeUntracked, trail }: AuthorAccess) {
  return {
    settings: by(writeUntracked, { replace: settings.replaceSetting }),
    /** Methods that record actions in the audit log without changing anything else. */
    backups: {
      noteBegun: (name: string): Promise<void> => writeUntracked((sql) => trail(sql).note(null, auditedBackup(name))),
      noteDownload: (name: string): Promise<void> =>
        writeUntracked((sql) => trail(sql).noteExport(auditedBackup(name))),
    },
  }
}
