/** `silences`: for whom nobody is told of incidents for a time, and since when. */
import { type Actor, rightOf } from '../../../domain/actor.ts'
import { representSilence } from '../../../domain/silence/represent.ts'
import type { Silence } from '../../../domain/silence/silence.ts'
import { readSilence } from '../../../domain/silence/spec.ts'
import { createSilence, endSilence, getSilence, listSilences } from '../../../services/silences/silences.ts'
import { type ApiDeps, door, type Resource } from '../door/door.ts'
import { readBody } from './bodies.ts'

const LIST = { path: '/silences', methods: { GET: 'read', POST: 'write' } } as const satisfies Resource
const ONE = { path: '/silences/:silence', methods: { GET: 'read', DELETE: 'write' } } as const satisfies Resource

export function silences(deps: ApiDeps) {
  const represent = (silence: Silence, actor: Actor) => representSilence(silence, rightOf(actor), deps.now())

  const list = door(deps, LIST)
    .get(LIST.path, async ({ actor }) => {
      const found = await listSilences(deps, actor)
      return { silences: found.map((silence) => represent(silence, actor)) }
    })
    .post(LIST.path, async ({ actor, body, set }) => {
      const wanted = readBody(body, (asked) => readSilence(asked, deps.now()))
      set.status = 201
      return represent(await createSilence(deps, actor, wanted), actor)
    })

  const one = door(deps, ONE)
    .get(ONE.path, async ({ actor, params }) => represent(await getSilence(deps, actor, params.silence), actor))
    .delete(ONE.path, async ({ actor, params }) => represent(await endSilence(deps, actor, params.silence), actor))

  return [list, one]
}
