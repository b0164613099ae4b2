/** `silences`: periods during which some checks' incidents do not send alerts. */
import { type Actor, rightOf } from '../../../domain/actor.ts'
import { Type } from '../../../domain/schema.ts'
import { editSilence } from '../../../domain/silence/edit.ts'
import { representSilence } from '../../../domain/silence/represent.ts'
import type { Silence } from '../../../domain/silence/silence.ts'
import { readSilence } from '../../../domain/silence/spec.ts'
import type { Instant } from '../../../lib/time.ts'
import { inBatches } from '../../../lib/work/batches.ts'
import { longReaderOf } from '../../../services/common/long-reads.ts'
import {
  changeSilence,
  createSilence,
  endSilence,
  getSilence,
  listEndedSilences,
  listSilences,
} from '../../../services/silences/silences.ts'
import { JSON_TYPE } from '../../headers.ts'
import { enclosed, membersOf } from '../../json-list.ts'
import { longAnswer } from '../../long-answer.ts'
import { type ApiDeps, door, type Resource } from '../door/door.ts'
import { readQuery } from '../door/validation.ts'
import { readBody } from './bodies.ts'

const LIST = { path: '/silences', methods: { GET: 'read', POST: 'write' } } as const satisfies Resource
const ONE = {
  path: '/silences/:silence',
  methods: { GET: 'read', POST: 'write', DELETE: 'write' },
} as const satisfies Resource

export const SilencesQuery = Type.Object({
  ended: Type.Optional(
    Type.Union([Type.Literal('true'), Type.Literal('false')], {
      description:
        '`true`: silences that have ended, which are kept for 93 days. Otherwise: silences that have not ended.',
    }),
  ),
})

export function silences(deps: ApiDeps) {
  const represent = (silence: Silence, actor: Actor) => representSilence(silence, rightOf(actor), deps.now())

  const list = door(deps, LIST)
    .get(LIST.path, async ({ actor, request }) => {
      const { ended } = readQuery(request, SilencesQuery)
      const pages = ended === 'true' ? listEndedSilences(deps, actor) : present(deps, actor)
      const members = membersOf(pages, (page) => page.map((silence) => represent(silence, actor)))
      return longAnswer(deps, longReaderOf(actor), enclosed(members, { open: '{"silences":[', close: ']}' }), JSON_TYPE)
    })
    .post(LIST.path, async ({ actor, body, set }) => {
      const wanted = readBody(body, (asked) => readSilence(asked, deps.now()))
      set.status = 201
      return represent(await createSilence(deps, actor, wanted), actor)
    })

  const one = door(deps, ONE)
    .get(ONE.path, async ({ actor, params }) => represent(await getSilence(deps, actor, params.silence), actor))
    .post(ONE.path, async ({ actor, params, body }) => {
      const edit = (silence: Silence, now: Instant) => readBody(body, (asked) => editSilence(silence, asked, now))
      return represent(await changeSilence(deps, actor, params.silence, edit), actor)
    })
    .delete(ONE.path, async ({ actor, params }) => represent(await endSilence(deps, actor, params.silence), actor))

  return [list, one]
}

const WRITTEN_AT_ONCE = 50

async function* present(deps: ApiDeps, actor: Actor): AsyncGenerator<readonly Silence[]> {
  yield* inBatches(await listSilences(deps, actor), WRITTEN_AT_ONCE)
}
