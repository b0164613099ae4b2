/** `checks`, one check, `pause` and `resume` (spec 4). */
import { Elysia } from 'elysia'
import { CheckSpec } from '../../domain/check.ts'
import type { Access } from '../../domain/project.ts'
import { type ApiVersion, type CheckWithChannels, representCheck } from '../../domain/representation.ts'
import { Type } from '../../domain/schema.ts'
import {
  type CheckFilter,
  deleteCheck,
  pauseCheck,
  resumeCheck,
  updateCheck,
  upsertCheck,
} from '../../services/checks.ts'
import { targetOf } from '../target.ts'
import { type ApiDeps, checkDoor, door, frame, type Resource } from './door.ts'
import { conditionalJson } from './entity-tag.ts'

const LIST = { path: '/checks', methods: ['GET', 'POST'], body: CheckSpec } as const satisfies Resource
const ONE = {
  path: '/checks/:id',
  methods: ['GET', 'POST', 'DELETE'],
  methodsByUniqueKey: ['GET'],
  body: CheckSpec,
} as const satisfies Resource
const PAUSE = { path: '/checks/:id/pause', methods: ['POST'], allowNull: true } as const satisfies Resource
const RESUME = { path: '/checks/:id/resume', methods: ['POST'], allowNull: true } as const satisfies Resource

const AnyObject = Type.Object({}, { additionalProperties: true })

export function checks(deps: ApiDeps, version: ApiVersion) {
  const deriveSlug = version < 3
  const represent = (found: CheckWithChannels, { kind }: Pick<Access, 'kind'>) =>
    representCheck(found, { version, access: kind, links: deps.site.links, now: deps.now() })

  const list = new Elysia()
    .use(door(deps, LIST, 'read'))
    .get(LIST.path, ({ access, request }) => deps.lists.answer(request, access, version, filterOf(request)))

  const create = new Elysia().use(door(deps, LIST, 'write')).post(
    LIST.path,
    async ({ access, body, set }) => {
      const upserted = await upsertCheck(deps, access.project, body, deriveSlug)
      set.status = upserted.created ? 201 : 200
      return represent(upserted, access)
    },
    { body: CheckSpec },
  )

  const read = new Elysia()
    .use(checkDoor(deps, ONE, 'read'))
    .get(ONE.path, ({ access, found, request }) => conditionalJson(request, represent(found, access)))

  const change = new Elysia()
    .use(checkDoor(deps, ONE, 'write'))
    .post(
      ONE.path,
      async ({ access, found, body }) => represent(await updateCheck(deps, found.check.id, body, deriveSlug), access),
      { body: CheckSpec },
    )
    .delete(ONE.path, async ({ access, found }) => represent(await deleteCheck(deps, found.check.id), access))

  const pause = new Elysia()
    .use(checkDoor(deps, PAUSE, 'write'))
    .post(PAUSE.path, async ({ access, found }) => represent(await pauseCheck(deps, found.check.id), access), {
      body: AnyObject,
    })

  const resume = new Elysia()
    .use(checkDoor(deps, RESUME, 'write'))
    .post(RESUME.path, async ({ access, found }) => represent(await resumeCheck(deps, found.check.id), access), {
      body: AnyObject,
    })

  return new Elysia().use([list, create, read, change, pause, resume]).use([LIST, ONE, PAUSE, RESUME].map(frame))
}

/** The last `slug`, '' being none; every `tag`. An empty `tag` matches nothing, as no check can carry it. */
function filterOf(request: Request): CheckFilter {
  const query = targetOf(request).searchParams
  const slug = query.getAll('slug').at(-1) ?? ''
  return { ...(slug === '' ? {} : { slug }), tags: query.getAll('tag') }
}
