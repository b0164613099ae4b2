/** `pagertree`: whole messages, settings and conclusions. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { pagertree } from '../../src/transports/pagertree.ts'
import { aCheck } from '../support/builders.ts'
import { CAME_UP, HOSTILE_LINE, jsonOf, KEY, LINK, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, upAlert } from './support.ts'

const URL_ = 'https://api.pagertree.test/integration/int_abc'
const request = { method: 'POST', url: URL_, headers: { 'content-type': 'application/json' } }
const always = { incident_key: KEY, client: 'Overdue', client_url: 'https://overdue.test' }

describe('the message', () => {
  test('of a check that went down triggers an incident', async () => {
    expect(await jsonOf(pagertree, URL_, downAlert())).toEqual({
      ...request,
      body: {
        ...always,
        event_type: 'trigger',
        title: 'Nightly backup is DOWN',
        description: `${WENT_DOWN}\n${LINK}`,
        tags: ['prod', 'db'],
      },
    })
  })

  test('of a check that recovered resolves it', async () => {
    expect(await jsonOf(pagertree, URL_, upAlert())).toEqual({
      ...request,
      body: {
        ...always,
        event_type: 'resolve',
        title: 'Nightly backup is UP',
        description: `${CAME_UP}\n${LINK}`,
        tags: ['prod', 'db'],
      },
    })
  })

  test('has an empty list where there are no tags', async () => {
    const { body } = await jsonOf(pagertree, URL_, downAlert({ check: aCheck({ status: 'down' }) }))
    expect(body).toMatchObject({ tags: [] })
  })

  test('shows hostile names unchanged, on one line', async () => {
    expect((await jsonOf(pagertree, URL_, hostileAlert())).body).toEqual({
      ...always,
      event_type: 'trigger',
      title: `${HOSTILE_LINE} is DOWN`,
      description: WENT_DOWN,
      tags: ['"a"', '<b>', '🎉', '$NAME', '@all'],
    })
  })
})

test.each([
  ['no text', null, 'not a string'],
  ['no host', 'https:///integration', 'mismatch'],
  ['more than 1000 characters', `${URL_}${'x'.repeat(1000)}`, 'too long'],
] as const)('settings are rejected with %s', (_, settings, violation) => {
  expect(firstProblem(pagertree.settings, settings)).toEqual({ path: '', violation })
})
