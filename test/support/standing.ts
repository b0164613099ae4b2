/** The `standsAt` value of a page that the app has just rendered. */
import { NOTHING_SEEN, plus, seenOf } from '../../src/domain/check/seen.ts'
import { listChecks } from '../../src/services/checks/checks.ts'
import type { LiveHub } from '../../src/services/common/ports/live.ts'
import type { TestApp } from './test-app.ts'

export async function standing({ app, actor, project }: TestApp, live: LiveHub = app.deps.live): Promise<string> {
  const standsAt = await live.position(project.id)
  let seen = NOTHING_SEEN
  for await (const page of listChecks(app.deps, actor, {})) seen = page.map(seenOf).reduce(plus, seen)
  return standsAt(seen)
}
