/** `checks/preview`: explains a timing, and replays a check's last runs with it. Changes nothing. */
import { type Actor, may } from '../../domain/actor.ts'
import { representSuggestion, representWoken } from '../../domain/advice/represent.ts'
import { type Check, CheckSpec } from '../../domain/check/check.ts'
import { changedTiming, representClockChange, representReplay } from '../../domain/preview/schedule-preview.ts'
import { canonicalTimeZone } from '../../domain/schedule/time-zones.ts'
import { Text, Type } from '../../domain/schema.ts'
import { isUuid } from '../../lib/secrets/uuid.ts'
import { type Instant, isoSeconds } from '../../lib/time.ts'
import { previewSchedule, type SchedulePreview } from '../../services/advice/schedule-preview.ts'
import { getCheck, getCheckByUniqueKey } from '../../services/checks/checks.ts'
import { type ApiDeps, door, type Resource } from './door/door.ts'
import { UUID } from './door/path-parameters.ts'
import { jsonBody } from './door/validation.ts'

const PREVIEW = { path: '/checks/preview', methods: { POST: 'read' } } as const satisfies Resource

const { timeout, grace, tz } = CheckSpec.properties
const ZONES_TRIED = 3

/** The schema of a preview request body. Unlike {@link CheckSpec}, the error for a schedule contains the position of the mistake. */
export const PreviewSpec = Type.Object(
  {
    check: Type.Optional(
      Text({
        pattern: `^(?:${UUID}|[0-9a-f]{40})$`,
        description:
          'UUID or unique key of the check whose last runs are judged. It supplies the fields that the body omits.',
      }),
    ),
    grace,
    schedule: Type.Optional(
      Text({ maxLength: 100, description: 'Cron or OnCalendar expression; overrides `timeout`.' }),
    ),
    timeout,
    tz,
    zones: Type.Optional(
      Type.Array(Text({ format: 'timezone' }), {
        maxItems: ZONES_TRIED,
        description: 'Other time zones to look for a regular schedule in, besides `tz` and UTC.',
      }),
    ),
  },
  { additionalProperties: true },
)

export function preview(deps: ApiDeps) {
  return door(deps, PREVIEW).post(
    PREVIEW.path,
    async ({ actor, body: { check: id, zones = [], ...spec } }) => {
      const check = id === undefined ? null : await findCheck(deps, actor, id)
      const timing = changedTiming(check, spec)
      const tried = zones.map((zone) => canonicalTimeZone(zone) ?? zone)
      const found = await previewSchedule(deps, actor, check, timing, tried)
      return { kind: timing.kind, ...represent(found, may(actor, 'write'), deps.now()) }
    },
    { body: jsonBody(PreviewSpec) },
  )
}

/** @throws Refusal `not-found`; `forbidden` if the check belongs to another project */
async function findCheck(deps: ApiDeps, actor: Actor, id: string): Promise<Check> {
  const { check } = await (isUuid(id) ? getCheck : getCheckByUniqueKey)(deps, actor, id)
  return check
}

function represent(found: SchedulePreview, seesAddresses: boolean, now: Instant) {
  const { words, next, clockChanges, replay, woken, suggestion } = found
  return {
    words,
    next: next.map(isoSeconds),
    clock_changes: clockChanges.map(representClockChange),
    replay: replay && representReplay(replay),
    woken: woken && representWoken(woken, now),
    suggestion: suggestion && representSuggestion(suggestion, seesAddresses, now),
  }
}
