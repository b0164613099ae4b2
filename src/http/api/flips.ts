/** `flips` with `seconds`, `start` and `end` (spec 4.4). */
import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import type { Flip, FlipFilter } from '../../domain/flip.ts'
import { type ApiVersion, type CheckWithChannels, flipsForm } from '../../domain/representation.ts'
import { firstProblem, type Static, Type } from '../../domain/schema.ts'
import { fromSeconds, type Instant, isBefore, isoSeconds } from '../../domain/time.ts'
import { listFlips } from '../../services/flips.ts'
import { enclosed, JSON_TYPE, membersOf } from '../json-list.ts'
import { longAnswer } from '../long-answer.ts'
import { targetOf } from '../target.ts'
import { type ApiDeps, checkDoor, frame, type Resource } from './door.ts'
import { problemWords } from './validation.ts'

const LIST = {
  path: '/checks/:id/flips',
  methods: ['GET'],
  methodsByUniqueKey: ['GET'],
  listedByPost: true,
} as const satisfies Resource

const LATEST_SECOND = 10_000_000_000

export const FlipsQuery = Type.Object({
  seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 31_536_000,
      description: 'Flips of the last so many seconds; 0 is no filter.',
    }),
  ),
  start: Type.Optional(
    Type.Integer({ minimum: 0, maximum: LATEST_SECOND, description: 'Flips not before this UNIX time.' }),
  ),
  end: Type.Optional(Type.Integer({ minimum: 0, maximum: LATEST_SECOND, description: 'Flips before this UNIX time.' })),
})
type FlipsQuery = Static<typeof FlipsQuery>

export function flips(deps: ApiDeps, version: ApiVersion) {
  const enclosing =
    flipsForm(version, deps.v3Flips) === 'array' ? { open: '[', close: ']' } : { open: '{"flips":[', close: ']}' }
  const listOf = (found: CheckWithChannels, request: Request) => {
    const pages = listFlips(deps, found, filterOf(queryOf(request), deps.now()))
    const members = membersOf(pages, (page) => page.map(representFlip))
    return longAnswer(deps, found.check.projectId, enclosed(members, enclosing), JSON_TYPE)
  }
  const list = new Elysia()
    .use(checkDoor(deps, LIST, 'read'))
    .get(LIST.path, ({ found, request }) => listOf(found, request))
    .post(LIST.path, ({ found, request }) => listOf(found, request), { detail: { hide: true } })
  return new Elysia().use(list).use(frame(LIST))
}

function representFlip(flip: Flip) {
  return { timestamp: isoSeconds(flip.createdAt), up: flip.newStatus === 'up' ? 1 : 0 }
}

/** Whole numbers as the peer reads them: blanks around, a sign, `_` between digits, `1.0`. */
const NUMBER = /^\s*[+-]?\d+(?:_\d+)*(?:\.0+)?\s*$/

/** The last value of each name. @throws Refusal `invalid` naming the first that is not understood */
function queryOf(request: Request): FlipsQuery {
  const given = targetOf(request).searchParams
  const query: Record<string, number> = {}
  for (const name of Object.keys(FlipsQuery.properties)) {
    const text = given.getAll(name).at(-1)
    if (text === undefined || (text === '' && name === 'seconds')) continue
    query[name] = NUMBER.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN
  }
  const problem = firstProblem(FlipsQuery, query)
  if (problem) throw new Refusal('invalid', `query validation error: ${problemWords(problem)}`)
  return query
}

/** All that are given must hold. */
function filterOf({ seconds, start, end }: FlipsQuery, now: Instant): FlipFilter {
  const since = seconds ? now.subtract({ seconds }) : null
  const after = start === undefined ? null : fromSeconds(start)
  const from = since && after ? (isBefore(since, after) ? after : since) : (since ?? after)
  return { ...(from ? { from } : {}), ...(end === undefined ? {} : { until: fromSeconds(end) }) }
}
