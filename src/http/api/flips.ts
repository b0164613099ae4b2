/** `flips`: a check's status changes, filtered by `seconds`, `start` and `end`. */
import type { Flip, FlipFilter } from '../../domain/check/flip.ts'
import { type ApiVersion, flipsForm } from '../../domain/check/representation.ts'
import { type Static, Type } from '../../domain/schema.ts'
import { fromSeconds, type Instant, isBefore, isoSeconds } from '../../lib/time.ts'
import { longReaderOf } from '../../services/common/long-reads.ts'
import { listFlips } from '../../services/pings/flips.ts'
import { JSON_TYPE } from '../headers.ts'
import { enclosed, membersOf } from '../json-list.ts'
import { longAnswer } from '../long-answer.ts'
import { type ApiDeps, type CheckRequest, checkDoor, type Resource } from './door/door.ts'
import { readQuery } from './door/validation.ts'

const LIST = { path: '/checks/:id/flips', methods: { GET: 'read' }, listedByPost: true } as const satisfies Resource

const LATEST_SECOND = 10_000_000_000

export const FlipsQuery = Type.Object({
  seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 31_536_000,
      description: 'Number of seconds to look back. 0 and an empty value are ignored.',
    }),
  ),
  start: Type.Optional(
    Type.Integer({ minimum: 0, maximum: LATEST_SECOND, description: 'Flips at or after this UNIX time.' }),
  ),
  end: Type.Optional(Type.Integer({ minimum: 0, maximum: LATEST_SECOND, description: 'Flips before this UNIX time.' })),
})
type FlipsQuery = Static<typeof FlipsQuery>

export function flips(deps: ApiDeps, version: ApiVersion) {
  const enclosing =
    flipsForm(version, deps.v3Flips) === 'array' ? { open: '[', close: ']' } : { open: '{"flips":[', close: ']}' }
  const list = ({ actor, found, request }: CheckRequest & { readonly request: Request }) => {
    const query = readQuery(request, FlipsQuery, ['seconds'])
    const pages = listFlips(deps, actor, found.check, filterOf(query, deps.now()))
    const members = membersOf(pages, (page) => page.map(representFlip))
    return longAnswer(deps, longReaderOf(actor), enclosed(members, enclosing), JSON_TYPE)
  }
  return checkDoor(deps, LIST)
    .get(LIST.path, list)
    .post(LIST.path, list, { detail: { hide: true } })
}

function representFlip(flip: Flip) {
  return { timestamp: isoSeconds(flip.createdAt), up: flip.newStatus === 'up' ? 1 : 0 }
}

/** Builds a filter from the query. A flip has to match every parameter. */
function filterOf({ seconds, start, end }: FlipsQuery, now: Instant): FlipFilter {
  const since = seconds ? now.subtract({ seconds }) : null
  const after = start === undefined ? null : fromSeconds(start)
  const from = since && after ? (isBefore(since, after) ? after : since) : (since ?? after)
  return { ...(from ? { from } : {}), ...(end === undefined ? {} : { until: fromSeconds(end) }) }
}
