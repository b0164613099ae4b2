/** What a Healthchecks has answered before the move is answered after it: the same keys, UUIDs and badge addresses. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Temporal } from '../../../src/lib/time.ts'
import { handClock } from '../../support/clock.ts'
import { type Answer, answers, importFixture, RECORDED } from '../../support/healthchecks/answers.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { expectSame } from './same-answer.ts'

let t: TestApp
beforeAll(async () => {
  const { site_root: siteRoot, site_name: siteName } = RECORDED.healthchecks
  t = await testApp({
    clock: handClock(Temporal.Instant.from(RECORDED.now)),
    env: { SITE_ROOT: siteRoot, SITE_NAME: siteName, API_V3_FLIPS: 'object', PUBLIC_RATE_LIMIT: '0' },
  })
  await importFixture(t)
})
afterAll(() => t.close())

for (const project of RECORDED.projects) {
  describe(`project ${project.code}`, () => {
    const groups = Map.groupBy(project.answers, groupOf)
    test.each([...groups])('%s', async (_, group) => {
      for (const answer of group) await expectAnswer(answer, project.keys)
    })
  })
}
