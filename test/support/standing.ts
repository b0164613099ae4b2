/** The `standsAt` value of a page that the app has just rendered. */
import { fingerprintOf, NO_CHECKS, plus } from '../../src/domain/check/fingerprint.ts'
import { listChecks } from '../../src/services/checks/checks.ts'
import type { LiveHub } from '../../src/services/common/ports/live.ts'
import type { TestApp } from './test-app.ts'

export async function standing({ app, actor, project }: TestApp, live: LiveHub = app.deps.live): Promise<string> {
  const standsAt = await live.position(project.id)
  let seen = NO_CHECKS
  for await (const page of listChecks(app.deps, actor, {})) seen = page.map(fingerprintOf).reduce(plus, seen)
  return standsAt(seen)
}
