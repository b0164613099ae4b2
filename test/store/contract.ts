/** The contract of the store: run it over each engine. The chapters are in `contract/`. */
import { describe, expect, test } from 'bun:test'
import type { OpenStore } from '../support/store-builders.ts'
import { CalledMethods, methodsOf } from './called-methods.ts'
import { accountsContract } from './contract/accounts.ts'
import { administrationContract } from './contract/administration.ts'
import { adviceContract } from './contract/advice.ts'
import { aliveContract } from './contract/alive.ts'
import { auditContract } from './contract/audit.ts'
import { badgesContract } from './contract/badges.ts'
import { besideContract } from './contract/beside.ts'
import { bulkContract } from './contract/bulk.ts'
import { channelActivityContract } from './contract/channel-activity.ts'
import { checkChangesContract } from './contract/check-changes.ts'
import { checksContract } from './contract/checks.ts'
import { clearingContract } from './contract/clearing.ts'
import { deliveriesContract } from './contract/deliveries.ts'
import { flipsContract } from './contract/flips.ts'
import { identitiesContract } from './contract/identities.ts'
import { importedChecksContract } from './contract/imported-checks.ts'
import { importsContract } from './contract/imports.ts'
import { incidentHistoriesContract } from './contract/incident-histories.ts'
import { incidentsContract } from './contract/incidents.ts'
import { instancesContract } from './contract/instances.ts'
import { logContract } from './contract/log.ts'
import { longBodiesContract } from './contract/long-bodies.ts'
import { mailingsContract } from './contract/mailings.ts'
import { membersContract } from './contract/members.ts'
import { morningMailsContract } from './contract/morning-mails.ts'
import { openedDeliveriesContract } from './contract/opened-deliveries.ts'
import { overdueContract } from './contract/overdue.ts'
import { pagesContract } from './contract/pages.ts'
import { passkeysContract } from './contract/passkeys.ts'
import { pingsContract } from './contract/pings.ts'
import { pingsBySlugContract } from './contract/pings-by-slug.ts'
import { problemsContract } from './contract/problems.ts'
import { projectsContract } from './contract/projects.ts'
import { provenEmailContract } from './contract/proven-email.ts'
import { pruneContract } from './contract/prune.ts'
import { quietHoursContract } from './contract/quiet-hours.ts'
import { revisionsContract } from './contract/revisions.ts'
import { searchContract } from './contract/search.ts'
import { secondFactorsContract } from './contract/second-factors.ts'
import { sessionsContract } from './contract/sessions.ts'
import { silencesContract } from './contract/silences.ts'
import { statusPagesContract } from './contract/status-pages.ts'
import { teamContract } from './contract/team.ts'
import { transfersContract } from './contract/transfers.ts'
import { troublesContract } from './contract/troubles.ts'
import { uncountedContract } from './contract/uncounted.ts'
import { undosContract } from './contract/undos.ts'
import { watchedContract } from './contract/watched.ts'

const CHAPTERS: Readonly<Record<string, (open: OpenStore) => void>> = {
  projects: projectsContract,
  accounts: accountsContract,
  members: membersContract,
  team: teamContract,
  sessions: sessionsContract,
  'second factors': secondFactorsContract,
  identities: identitiesContract,
  passkeys: passkeysContract,
  'proven emails': provenEmailContract,
  administration: administrationContract,
  'audit log': auditContract,
  checks: checksContract,
  badges: badgesContract,
  'changes of checks': checkChangesContract,
  'changes of several checks': bulkContract,
  'changes that can be undone': undosContract,
  'checks that are transferred': transfersContract,
  'checks that are cleared': clearingContract,
  pings: pingsContract,
  'pings by slug': pingsBySlugContract,
  log: logContract,
  'long bodies': longBodiesContract,
  search: searchContract,
  flips: flipsContract,
  silence: overdueContract,
  incidents: incidentsContract,
  silences: silencesContract,
  'histories of incidents': incidentHistoriesContract,
  'why checks are down': troublesContract,
  'what came and did not count': uncountedContract,
  'what is wrong': problemsContract,
  advice: adviceContract,
  deliveries: deliveriesContract,
  'quiet hours': quietHoursContract,
  'deliveries that somebody opens, hurries or cancels': openedDeliveriesContract,
  'what channels did': channelActivityContract,
  mailings: mailingsContract,
  'morning mails': morningMailsContract,
  pruning: pruneContract,
  'what is watched': watchedContract,
  'long lists': pagesContract,
  revisions: revisionsContract,
  'signs of life': aliveContract,
  instances: instancesContract,
  'status pages': statusPagesContract,
  imports: importsContract,
  'checks that are imported again': importedChecksContract,
  'two stores at once': besideContract,
}

/** @param open opens an empty database each time */
export function storeContract(name: string, open: OpenStore): void {
  describe(`the store over ${name}`, () => {
    const called = new CalledMethods()
    const openNoted = called.of(open)
    // A block each, so that the hooks of one chapter do not run in another.
    for (const [chapter, contract] of Object.entries(CHAPTERS)) describe(chapter, () => contract(openNoted))

    // Pages and commands need not run on every engine, because the contract calls every method of the store on each.
    test('has no method that no chapter calls', async () => {
      const { store, close } = await open()
      expect(called.names).toEqual(methodsOf(store))
      await close()
    })
  })
}
