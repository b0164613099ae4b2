/** Reads the data for an incident's page. */
import { type Actor, may } from '../../domain/actor.ts'
import type { DeliveryEntry } from '../../domain/alert/delivery.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip, FlipReason } from '../../domain/check/flip.ts'
import type { NumberedEvent } from '../../domain/incident/event.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { incidentFor } from '../../domain/incident/reader.ts'
import type { CheckView } from '../../domain/list/check-view.ts'
import { withoutPingSecrets } from '../../domain/redaction.ts'
import type { Silence } from '../../domain/silence/silence.ts'
import { type Silenced, silencedBy } from '../../domain/silence/silenced-by.ts'
import type { Instant } from '../../lib/time.ts'
import { readAlertText } from '../alerts/alert-text.ts'
import { whoWasTold } from '../alerts/deliveries.ts'
import { viewChecks } from '../checks/check-views.ts'
import { getCheckByPublicId } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { type FailedOutput, findFailedOutput } from '../pings/failed-output.ts'
import { readLog } from '../pings/log.ts'
import { findSilences, listSilencesOf } from '../silences/silences.ts'
import { openIncidentOf } from './incidents.ts'

/** An earlier incident of the same check. */
export interface EarlierIncident {
  readonly incident: Incident
  /** why the check went down; null if the events are no longer stored */
  readonly reason: FlipReason | null
}

export interface IncidentPage {
  /** when the page was read */
  readonly now: Instant
  readonly incident: Incident
  /** the check's current state */
  readonly view: CheckView
  /** oldest first */
  readonly events: readonly NumberedEvent[]
  /** the flip that ended the incident; null if the incident is open, or ended without a flip */
  readonly end: Flip | null
  /** silences that the events mention, keyed by id */
  readonly silences: ReadonlyMap<string, Silence>
  /** the active silence of the check that lasts longest; null if the check is not silenced */
  readonly silencedBy: Silenced | null
  /** alerts about the incident's start and end, and about acknowledgements */
  readonly told: readonly DeliveryEntry[]
  /** text of the alerts about the incident's start; null if there are none */
  readonly text: string | null
  /** newest first */
  readonly earlier: readonly EarlierIncident[]
  /** output of the newest run; null unless the incident is open and the newest run failed */
  readonly failedOutput: FailedOutput | null
}

/** Identifies an incident in a URL. */
export interface IncidentName {
  readonly checkPublicId: string
  /** number of the flip that opened the incident */
  readonly n: number
}

const EARLIER_SHOWN = 5
/** Maximum number of pings to read. They include the newest run, unless the job sent a very large number of log entries. */
const PINGS_READ = 60

/** @throws Refusal `not-found` */
export async function readIncidentPage(
  deps: Pick<Deps, 'store' | 'now' | 'eventLoop' | 'pingBodyLimit'>,
  actor: Actor,
  { checkPublicId, n }: IncidentName,
): Promise<IncidentPage> {
  const found = await getCheckByPublicId(deps, actor, checkPublicId)
  const { check } = found
  const now = deps.now()
  const { incident, events } = await openIncidentOf(deps, actor, { check, n })
  const flips = events.filter((event) => event.kind === 'flip')
  const telling = events.filter(({ kind }) => kind === 'flip' || kind === 'acknowledged')
  const named = events.flatMap((event) => (event.kind === 'held' ? [event.silenceId] : []))
  const [[view], told, silences, silencesOf, earlier, failedOutput] = await Promise.all([
    viewChecks(deps, [found], now, new Map()),
    whoWasTold(deps, actor, telling),
    findSilences(deps, actor, named),
    listSilencesOf(deps, actor, [check]),
    readEarlier(deps, actor, check, n),
    incident.resolvedAt === null ? readFailedOutput(deps, actor, check) : null,
  ])
  if (!view) throw new Error('a check without a view')
  const isTold = told.some(({ delivery }) => delivery.eventN === n)
  const text = isTold ? await readAlertText(deps, actor, check, n) : null
  const end = incident.resolvedAt === null ? null : (flips.find((flip) => flip.n !== n) ?? null)
  return forActor(actor, {
    now,
    incident,
    view,
    events,
    end,
    silences,
    silencedBy: silencedBy(silencesOf(check), check, now),
    told,
    text,
    earlier,
    failedOutput,
  })
}

async function readEarlier(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  check: Check,
  n: number,
): Promise<EarlierIncident[]> {
  const incidents = await store.incidents.list(check.id, n, EARLIER_SHOWN)
  return Promise.all(
    incidents.map(async (incident) => {
      const [first] = await store.incidents.listEvents({ ...incident, lastN: incident.n })
      return { incident: incidentFor(actor, incident), reason: first?.kind === 'flip' ? first.reason : null }
    }),
  )
}

async function readFailedOutput(
  deps: Pick<Deps, 'store' | 'eventLoop' | 'pingBodyLimit'>,
  actor: Actor,
  check: Check,
): Promise<FailedOutput | null> {
  const { entries } = await readLog(deps, actor, check, { limit: PINGS_READ })
  return findFailedOutput(deps, check, entries, may(actor, 'write'))
}

/** Removes email addresses, ping URLs and keys for read-only members. Other services have already done so for the rest of the data. */
function forActor(actor: Actor, page: IncidentPage): IncidentPage {
  if (may(actor, 'write')) return page
  return {
    ...page,
    told: page.told.map((entry) => ({ ...entry, error: entry.error && withoutPingSecrets(entry.error) })),
  }
}
