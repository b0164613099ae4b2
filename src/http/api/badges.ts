/** `badges`: lists the signed URLs of a project's badges, by tag. */
import { listBadges } from '../../services/badges/badges.ts'
import { longReaderOf } from '../../services/common/long-reads.ts'
import { JSON_TYPE } from '../headers.ts'
import { enclosed, membersOf } from '../json-list.ts'
import { longAnswer } from '../long-answer.ts'
import { type ApiDeps, door, type Resource } from './door/door.ts'

const LIST = { path: '/badges', methods: { GET: 'read' } } as const satisfies Resource
const ENCLOSING = { open: '{"badges":{', close: '}}' }

export function badges(deps: ApiDeps) {
  return door(deps, LIST).get(LIST.path, ({ actor }) => {
    const members = membersOf(listBadges(deps, actor), Object.fromEntries)
    return longAnswer(deps, longReaderOf(actor), enclosed(members, ENCLOSING), JSON_TYPE)
  })
}
