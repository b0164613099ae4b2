/** Messages about an incident that somebody takes or mutes: their links, and their recipients. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rules } from '../../../src/services/common/rules.ts'
import { anAuthor } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture } from './courier-fixture.ts'

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
})
afterEach(() => t.close())

/** Creates a check that is down since its second event. */
async function downCheck(): Promise<string> {
  const id = await d.addCheck()
  await d.ping(id)
  await d.ping(id, '/fail')
  return id
}

describe('the link to the incident', () => {
  const topic = { topic: 'ops', url: 'https://ntfy.example', priority: 3, priority_up: 3 }
  const linked = () => t.sent.map(({ body }) => /\/i\/[0-9a-z]{8}-\d+/.test(body))

  test('is in the alert that the check is down, and not in the one that it recovered', async () => {
    await d.addChannel({ kind: 'ntfy', settings: topic })
    const id = await downCheck()
    await d.deliver()
    await d.ping(id)
    await d.deliver()
    expect(linked()).toEqual([true, false])
    expect(t.sent[0]?.body).toMatch(/\/i\/[0-9a-z]{8}-2"/)
  })

  test('is left out when the check has recovered before the alert is sent', async () => {
    await d.addChannel({ kind: 'ntfy', settings: topic })
    await d.ping(await downCheck())
    await d.deliver()
    expect(linked()).toEqual([false])
  })
})

test('a service hears in order that a check is down, that somebody is on it, and that it recovered', async () => {
  await d.addChannel({ kind: 'pd', settings: 'service-key' })
  const id = await downCheck()
  const { deps } = t.app
  t.answerWith(answered(503))
  await d.deliver()
  const taking = { note: 'Disk is full', until: null, takesOver: false }
  await deps.store.by(anAuthor()).incidents.acknowledge({ checkId: id, n: 2 }, taking, rules(deps))
  await d.ping(id)
  await d.deliver()
  expect(t.sent).toHaveLength(1)
  t.answerWith(answered(200))
  t.clock.advance({ seconds: 5 })
  for (let round = 0; round < 3; round += 1) await d.deliver()
  const events = t.sent.map(({ body }) => JSON.parse(body).event_type)
  expect(events).toEqual(['trigger', 'trigger', 'acknowledge', 'resolve'])
  expect(JSON.parse(t.sent[2]?.body ?? '').description).toContain('is on it: ‘Disk is full’.')
})
