/** The store over any {@link Database}: says which functions form each transaction. */

import type { TokenFor, TokenPurpose } from '../../domain/account/token.ts'
import type { AttemptTrace } from '../../domain/alert/attempt.ts'
import type { Delivery, DeliveryResult } from '../../domain/alert/delivery.ts'
import type { Author } from '../../domain/author.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import { PING_LOG_BYTES } from '../../domain/log/log-bytes.ts'
import type { Instant } from '../../lib/time.ts'
import * as attempts from '../alerts/attempts.ts'
import * as deliveries from '../alerts/deliveries.ts'
import * as deliveryChanges from '../alerts/delivery-changes.ts'
import * as deliveryLists from '../alerts/delivery-lists.ts'
import * as mailings from '../alerts/mailings.ts'
import { deleteAudit, findDeletedChecks, findPauser, listAudit, readAudit } from '../audit.ts'
import { countChecks, listChannelActivities, listFailingSince } from '../channels/channel-activity.ts'
import * as channels from '../channels/channels.ts'
import { listMailTargets } from '../channels/mail-targets.ts'
import * as badges from '../checks/badges.ts'
import * as checks from '../checks/checks.ts'
import * as flips from '../checks/flips.ts'
import * as runDurations from '../checks/run-durations.ts'
import { removeExpiredUndos } from '../checks/undos.ts'
import { extendCheck } from '../imports/extended-checks.ts'
import { findClashes } from '../imports/import-clashes.ts'
import { addAlerts } from '../imports/imported-alerts.ts'
import { preparedChecks } from '../imports/imported-checks.ts'
import * as importedSecrets from '../imports/imported-secrets.ts'
import * as stagedLogs from '../imports/staged-logs.ts'
import * as stagedProjects from '../imports/staged-projects.ts'
import type { CommittedChange, OthersRevision, ProjectChanges, Revision } from '../interface/changes.ts'
import type { ChannelChange } from '../interface/channels.ts'
import type { LateFailure } from '../interface/deliveries.ts'
import type { LockedChecks, Overdue } from '../interface/flips.ts'
import type { CheckExtension, ImportingProject, ProjectImport } from '../interface/imports.ts'
import type { Instance } from '../interface/instances.ts'
import type { Arrival, CommittedPings, NotedRefusal } from '../interface/pings.ts'
import type { Rules } from '../interface/rules.ts'
import type { PingWords, UnreadPings } from '../interface/search.ts'
import type { Outage } from '../interface/upkeep.ts'
import * as concerns from '../overview/concerns.ts'
import { listTroubles } from '../overview/troubles.ts'
import * as accounts from '../people/accounts.ts'
import { listAccountPage } from '../people/administration.ts'
import * as closing from '../people/closing.ts'
import * as identities from '../people/identities.ts'
import * as invitations from '../people/invitations.ts'
import * as ownershipOffers from '../people/ownership-offers.ts'
import * as passkeys from '../people/passkeys.ts'
import * as secondFactors from '../people/second-factors.ts'
import * as sessions from '../people/sessions.ts'
import { findTeamMember, listTeam } from '../people/team.ts'
import * as tokens from '../people/tokens.ts'
import * as log from '../pings/log.ts'
import { listPingKeyUses, notePingKeyUses } from '../pings/ping-key-uses.ts'
import * as pings from '../pings/pings.ts'
import * as search from '../pings/search.ts'
import * as uncounted from '../pings/uncounted.ts'
import * as keys from '../projects/keys.ts'
import * as projects from '../projects/projects.ts'
import * as statusPages from '../projects/status-pages.ts'
import { removeDeletedLogs } from '../retention/left-logs.ts'
import { createPrune } from '../retention/retention.ts'
import { ChangeFeed } from '../revisions/change-feed.ts'
import { NO_CHANGES, Revisions } from '../revisions/revisions.ts'
import { readClock } from '../server/clock.ts'
import * as clockSteps from '../server/clock-steps.ts'
import * as figures from '../server/figures.ts'
import * as instances from '../server/instances.ts'
import * as leases from '../server/leases.ts'
import * as settings from '../server/settings.ts'
import type { Database, NoticeListener } from '../sql/database.ts'
import { Steps, type StepTiming, UNTIMED } from '../sql/steps.ts'
import { type AuthoredWrites, authoredWrites } from './authored-writes.ts'
import { each } from './methods.ts'
import { createWrites } from './writes.ts'

export interface Store extends ReturnType<typeof createStore> {}

/**
 * @param timing of work that is split into many transactions
 * @param logBytes that the bodies of a check's log may take beyond the newest entry's
 */
export function createStore(database: Database, timing: StepTiming = UNTIMED, logBytes: number = PING_LOG_BYTES) {
  const steps = new Steps(database, timing)
  const read = database.read.bind(database)
  const feed = new ChangeFeed()
  const revisions = new Revisions(
    () => database.readOthers(),
    (touched) => feed.checks({ ...NO_CHANGES, touched, statuses: true }),
  )
  const writes = createWrites(database, revisions, feed)
  const { write, writeChanging, writeAlerts, writeUntracked } = writes
  return {
    by: (author: Author): AuthoredWrites => authoredWrites(writes, author, { steps, logBytes }),
    close: () => database.close(),

    accounts: {
      ...each(read, {
        exist: accounts.hasAccounts,
        find: accounts.findAccount,
        list: accounts.listAccounts,
        listPage: listAccountPage,
        readClosing: closing.readClosing,
      }),
      ...each(writeUntracked, { see: sessions.seeAccount, renewPasswordHash: accounts.renewPasswordHash }),
    },
    sessions: {
      ...each(read, { find: sessions.findSession, list: sessions.listSessions }),
      ...each(writeUntracked, { touch: sessions.touchSession, confirm: sessions.confirmSession }),
    },
    tokens: {
      ...each(writeUntracked, { create: tokens.createToken }),
      find: <Purpose extends TokenPurpose>(lookup: string, purpose: Purpose): Promise<TokenFor<Purpose> | null> =>
        read((sql) => tokens.findToken(sql, lookup, purpose)),
      take: <Purpose extends TokenPurpose>(lookup: string, purpose: Purpose): Promise<TokenFor<Purpose> | null> =>
        writeUntracked((sql) => tokens.takeToken(sql, lookup, purpose)),
    },
    secondFactors: {
      ...each(read, { countRecoveryCodes: secondFactors.countRecoveryCodes }),
      ...each(writeUntracked, {
        useTotpStep: secondFactors.useTotpStep,
        useRecoveryCode: secondFactors.useRecoveryCode,
      }),
    },
    identities: {
      ...each(read, { findAccount: identities.findAccountOf, list: identities.listIdentities }),
      ...each(writeUntracked, { touch: identities.touchIdentity }),
    },
    passkeys: {
      ...each(read, { list: passkeys.listPasskeys, find: passkeys.findPasskey }),
      ...each(writeUntracked, { use: passkeys.usePasskey }),
    },
    team: each(read, { list: listTeam, find: findTeamMember, listMembers: accounts.listMembers }),
    invitations: each(read, {
      list: invitations.listInvitations,
      find: invitations.findInvitation,
      isInvited: invitations.isInvited,
    }),
    offers: each(read, { find: ownershipOffers.findOffer, listTo: ownershipOffers.listOffersTo }),

    projects: each(read, {
      list: projects.listProjects,
      find: projects.findProject,
      findHolder: projects.findHolder,
      findByIdOrName: projects.findProjects,
      findOfPerson: projects.findProjectOfPerson,
      listOfPerson: projects.listProjectsOfPerson,
      listPlacesOfPerson: projects.listPlacesOfPerson,
      listBriefs: projects.listProjectBriefs,
      countDown: projects.countDown,
      countContents: projects.countContents,
    }),
    keys: {
      ...each(read, {
        find: keys.findKey,
        list: keys.listKeys,
        findPing: keys.findPingKey,
        listPingUses: listPingKeyUses,
      }),
      ...each(writeUntracked, { touch: keys.touchKey, notePingUses: notePingKeyUses }, 'upkeep'),
      ...each(writeUntracked, { rehash: keys.rehashKey }),
    },
    statusPages: each(read, { find: statusPages.findStatusPage, findPublic: statusPages.findPublicStatusPage }),
    audit: each(read, { list: listAudit, read: readAudit, findPauser, findDeletedChecks }),

    checks: each(read, {
      list: checks.listChecks,
      listWithRuns: runDurations.listChecksWithRuns,
      listTags: checks.listTags,
      find: checks.findCheck,
      findMany: checks.findChecks,
      findByUniqueKey: checks.findCheckByUniqueKey,
      findByPublicId: checks.findCheckByPublicId,
      listPlaces: checks.listCheckPlaces,
    }),
    badges: each(read, {
      listChecks: badges.listBadgeChecks,
      findCheck: badges.findBadgeCheck,
      listSignatures: importedSecrets.listBadgeSignatures,
    }),
    overview: each(read, {
      listConcerns: concerns.listConcerns,
      listAdvisable: concerns.listAdvisable,
      listRecoveries: concerns.listRecoveries,
      listTroubles,
    }),
    flips: {
      ...each(read, { list: flips.listFlips, listResumptions: flips.listResumptions }),
      nextLookAt: (): Promise<Instant | null> => read((sql) => flips.nextLookAt(sql)),
      judgeOverdue: (now: Instant, rules: Rules, limit: number, locked?: LockedChecks): Promise<Overdue> =>
        writeChanging((sql) => flips.judgeOverdue(sql, now, rules, limit, locked)),
    },

    pings: {
      commit: async (arrivals: readonly Arrival[], rules: Rules): Promise<CommittedPings> => {
        const committed = await writeChanging((sql) => pings.commitPings(sql, arrivals, rules, logBytes), 'pings')
        // Another process may be the one that prunes.
        if (committed.prunable) database.notify([])
        return committed
      },
      ...each(read, {
        findTarget: pings.findTarget,
        list: log.listPings,
        find: log.findPing,
        findStart: log.findPingStart,
        readBodyEnds: log.readBodyEnds,
        readLog: log.readLog,
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
      /** A short step of the engine's upkeep after words were written. @returns false if there is nothing to do */
      tidy: (): Promise<boolean> => steps.write((sql) => sql.words.tidy()),
    },
    uncounted: {
      ...each(read, { list: uncounted.listUncounted, listRefused: uncounted.listRefused }),
      /**
       * Adds to what is stored of the last day. Targets that name no check, or more than one, are left out; without any other nothing is
       * written.
       */
      addRefused: async (noted: readonly NotedRefusal[], now: Instant): Promise<void> => {
        const refused = await read((sql) => uncounted.findRefusedChecks(sql, noted))
        if (refused.length === 0) return
        await writeUntracked((sql) => uncounted.addRefused(sql, refused, now))
        feed.checks({ ...NO_CHANGES, touched: uncounted.touchedBy(refused) })
      },
    },

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
      /** For what the server itself finds out about a channel; people's changes go through `by(…).channels.change`. */
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
        countWaiting: deliveryLists.countWaiting,
        hasLaterSent: deliveryLists.hasLaterSent,
      }),
      ...each(writeUntracked, { claim: deliveries.claimDeliveries, renewLeases: deliveries.renewLeases }),
      record: async (delivery: Delivery, result: DeliveryResult, trace: AttemptTrace, now: Instant): Promise<void> => {
        await writeAlerts((sql) => deliveries.recordDelivery(sql, delivery, result, trace, now))
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

    imports: {
      ...each(read, {
        findExtents: stagedLogs.findImportExtents,
        findClashes,
        listStagedLogs: stagedLogs.listStagedLogs,
        findStagedFlips: stagedLogs.findStagedFlips,
        listStagedProjects: stagedProjects.listStagedProjects,
        listSecrets: importedSecrets.listImportedSecrets,
      }),
      ...each(writeUntracked, { stageLogs: stagedLogs.stageLogs, beginProject: stagedProjects.beginProject }, 'bulk'),
      ...each(writeUntracked, { dropStagedLogs: stagedLogs.dropStagedLogs, addAlerts }),
      /**
       * Adds checks to a staged project in one transaction, so give about a hundred.
       * @throws Refusal `import-interrupted` if a log is not staged as `logs` says, or another import has dropped the project or makes a check
       */
      stageChecks: async (
        project: ImportingProject,
        checks: Pick<ProjectImport, 'checks' | 'logs'>,
        rules: Pick<Rules, 'alertAfter'>,
        now: Instant,
      ): Promise<void> => {
        const made = await preparedChecks(steps, checks, rules)
        return writeUntracked((sql) => stagedProjects.stageChecks(sql, project, made, now), 'bulk')
      },
      extendCheck: (extension: CheckExtension, rules: Pick<Rules, 'alertAfter' | 'now'>): Promise<boolean> =>
        writeChanging((sql) => extendCheck(sql, extension, rules)),
      /** Drops those of projects of which no log grew since `before`, at most `limit`. @returns how many it dropped */
      dropStaleLogs: async (before: Instant, limit: number): Promise<number> => {
        const stale = await read((sql) => stagedLogs.findStaleLogs(sql, before, limit))
        if (stale.length === 0) return 0
        return writeUntracked((sql) => stagedLogs.dropStaleLogs(sql, before, limit), 'upkeep')
      },
      removeDeletedLogs: removeDeletedLogs.bind(null, steps),
      dropStagedProject: stagedProjects.dropStagedProject.bind(null, steps),
    },

    changes: {
      /** Which checks of a project have changed since a revision, as far as the API shows it. @param since null on the first call */
      read: (projectId: string, since: Revision | null): Promise<ProjectChanges> =>
        revisions.ofProject(projectId, since),
      /** The revision of a project now; what other processes have written counts as far as it was known when last read. */
      revisionOf: (projectId: string): Revision => revisions.nowOfProject(projectId),
      /** Changes whenever this process changes a stored status or edits a check, in any project. A ping without a flip does not change it. */
      statusRevision: (): string => revisions.nowOfStatuses(),
      /** Asks what others have written. Checks that they have pinged count as changed from then on, and those who watch are told. */
      readRevisionOfOthers: (): Promise<OthersRevision> => revisions.ofOthers(),
      /** Changes whenever somebody may see more or less than before, and with the edits of `readRevisionOfOthers`. */
      accessRevision: (): string => revisions.nowOfAccess(),
      /**
       * Calls the listener after each commit of this process, before the caller of the write is answered, and with what others are found
       * to have pinged. It must be quick and must not throw.
       * @returns ends it
       */
      watch: (listener: (change: CommittedChange) => void): (() => void) => feed.watch(listener),
      /**
       * Calls the listener when another process has told that something may be due, or that a check was edited or changed its status. It
       * saves the wait until the next look: a notice may be lost, and the processes on a file send none.
       * @returns ends it
       */
      watchNotices: (listener: NoticeListener): (() => void) => database.watchNotices(listener),
    },
    retention: {
      prune: createPrune(steps, logBytes),
      pruneAudit: deleteAudit.bind(null, steps),
      pruneAnswers: attempts.dropAnswers.bind(null, steps),
      /**
       * Removes sessions, tokens, changes that can no longer be undone, and counts of refused requests, which have expired at `now`, in short
       * transactions.
       */
      removeExpired: async (now: Instant): Promise<void> => {
        await sessions.removeExpired(steps, now)
        await removeExpiredUndos(steps, now)
        await uncounted.removeOldRefused(steps, now)
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
        readClock,
        readOutbox: figures.readOutbox,
        readTotals: figures.readTotals,
      }),
      ...each(writeUntracked, { probeWrite: settings.probeWrite }, 'probe'),
      ...each(writeUntracked, { takeLease: leases.takeLease }, 'upkeep'),
      ...each(write, { pullBack: clockSteps.pullBack }),
      size: () => database.size(),
      /** Where an answered ping is: see `Database`. */
      durability: () => database.durability(),
      /** @param outage that has just ended; replaces the last one @param instance which lives, with what it tells of itself */
      recordAlive: (at: Instant, outage?: Outage, instance?: Instance): Promise<void> =>
        writeUntracked(async (sql) => {
          await settings.recordAlive(sql, at, outage)
          if (instance) await instances.recordInstance(sql, instance)
        }, 'upkeep'),
      /**
       * The last sign of life of an instance that stops. Removes it, and ends its leases: the next to ask gets them. An instance that was
       * refused one does not ask again before the time at which that would have ended.
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
