/** `badges`: the signed URLs of the project's badges by tag. */
import { Elysia } from 'elysia'
import { listBadges } from '../../services/badges.ts'
import { JSON_TYPE } from '../json-list.ts'
import { longAnswer } from '../long-answer.ts'
import { type ApiDeps, door, frame, type Resource } from './door.ts'

const LIST = { path: '/badges', methods: ['GET'] } as const satisfies Resource

export function badges(deps: ApiDeps) {
  const list = new Elysia()
    .use(door(deps, LIST, 'read'))
    .get(LIST.path, ({ access }) =>
      longAnswer(deps, access.project.id, write(listBadges(deps, access.project)), JSON_TYPE),
    )
  return new Elysia().use(list).use(frame(LIST))
}

/** An object with a member for each tag. */
async function* write(pages: ReturnType<typeof listBadges>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let before = '{"badges":{'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield encoder.encode(before + JSON.stringify(Object.fromEntries(page)).slice(1, -1))
    before = ','
  }
  yield encoder.encode('}}')
}
