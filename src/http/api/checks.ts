/** `checks`: the endpoints for lists of checks and for single checks, including `pause` and `resume`. */
import { type Actor, rightOf } from '../../domain/actor.ts'
import { CheckSpec } from '../../domain/check/check.ts'
import { type ApiVersion, type CheckWithChannels, representCheck } from '../../domain/check/representation.ts'
import { Type } from '../../domain/schema.ts'
import { deleteCheck, pauseCheck, resumeCheck, updateCheck, upsertCheck } from '../../services/checks/checks.ts'
import { conditionalJson } from '../entity-tag.ts'
import { type ApiDeps, checkDoor, door, type Resource } from './door/door.ts'
import { jsonBody, readQuery } from './door/validation.ts'

const LIST = { path: '/checks', methods: { GET: 'read', POST: 'write' } } as const satisfies Resource
const ONE = {
  path: '/checks/:id',
  methods: { GET: 'read', POST: 'write', DELETE: 'write' },
} as const satisfies Resource
const PAUSE = { path: '/checks/:id/pause', methods: { POST: 'write' }, allowNull: true } as const satisfies Resource
const RESUME = { path: '/checks/:id/resume', methods: { POST: 'write' }, allowNull: true } as const satisfies Resource

export const ChecksQuery = Type.Object({
  slug: Type.Optional(
    Type.String({
      description:
        'Only checks with this slug. An empty value is ignored. If the parameter is repeated, the last value counts.',
    }),
  ),
  tag: Type.Array(Type.String(), {
    description:
      'Only checks with this tag. If the parameter is repeated, only checks that have all of the tags. An empty value matches nothing.',
  }),
})

export function checks(deps: ApiDeps, version: ApiVersion) {
  const deriveSlug = version < 3
  const represent = (found: CheckWithChannels, actor: Actor) =>
    representCheck(found, { version, right: rightOf(actor), links: deps.site.links, now: deps.now() })

  const list = door(deps, LIST)
    .get(LIST.path, ({ actor, request }) => {
      const { slug, tag } = readQuery(request, ChecksQuery, ['slug'])
      // Each tag is compared with the tags of every check, so the number of tags is limited.
      const tags = [...new Set(tag)]
      return deps.lists.answer(request, actor, version, slug === undefined ? { tags } : { slug, tags })
    })
    .post(
      LIST.path,
      async ({ actor, body, set }) => {
        const upserted = await upsertCheck(deps, actor, body, deriveSlug)
        set.status = upserted.created ? 201 : 200
        return represent(upserted, actor)
      },
      { body: jsonBody(CheckSpec) },
    )

  const one = checkDoor(deps, ONE)
    .get(ONE.path, ({ actor, found, request }) => conditionalJson(request, represent(found, actor)))
    .post(
      ONE.path,
      async ({ actor, found, body }) => represent(await updateCheck(deps, actor, found.check, body, deriveSlug), actor),
      { body: jsonBody(CheckSpec) },
    )
    .delete(ONE.path, async ({ actor, found }) => represent(await deleteCheck(deps, actor, found.check), actor))

  const pause = checkDoor(deps, PAUSE).post(PAUSE.path, async ({ actor, found }) =>
    represent(await pauseCheck(deps, actor, found.check), actor),
  )

  const resume = checkDoor(deps, RESUME).post(RESUME.path, async ({ actor, found }) =>
    represent(await resumeCheck(deps, actor, found.check), actor),
  )

  return [list, one, pause, resume]
}
